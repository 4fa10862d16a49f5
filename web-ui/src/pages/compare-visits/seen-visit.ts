import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { Waterfall } from '#core/waterfall/build-waterfall.ts';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import type { Look } from '../visit/list-looks.ts';

/** One of the two, with what is drawn of it. */
export interface SeenVisit {
  visit: VisitDetail;
  /** Null where nothing was seen of the page. */
  waterfall: Waterfall | null;
  looks: Look[];
  style: ScenarioStyle | undefined;
}
