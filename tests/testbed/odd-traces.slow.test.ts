import { compareOddTraces } from './support/compare-odd-traces.ts';
import { openLive } from './support/recorded-wireshark.ts';

compareOddTraces(await openLive('odd-traces'));
