import { compareStatistics } from './support/compare-statistics.ts';
import { openLive } from './support/recorded-wireshark.ts';

compareStatistics(await openLive('capture-statistics'));
