import type { ObjectType, Urgency } from '#core/page-objects/wish.ts';

/** What a page asks for. */
export interface PageRequest {
  url: string;
  type: ObjectType;
  urgency: Urgency;
  /** The document or style sheet that names it; null for the page itself. */
  initiatorUrl: string | null;
  /** As Resource Timing names what asked. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
  initiatorType: string;
  isMainDocument?: boolean;
}
