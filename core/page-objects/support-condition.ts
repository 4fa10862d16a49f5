import { fromPlainObject, generate, type CssNodePlain } from 'css-tree';
import { isConditionTrue } from './media-query.ts';

/** What only other browsers than Chrome have, as a property or in its value. */
const foreign = /^-(moz|ms|o|khtml|apple)-|^-webkit-(touch-callout|overflow-scrolling)$/i;
const foreignValue = /(^|[\s,(])-(moz|ms|o)-/i;

/**
 * Whether a condition of `@supports` is met. What is new is taken as known: pages ask for it, and seldom for what no browser has.
 * https://drafts.csswg.org/css-conditional-4/#at-supports-ext
 */
export function isSupported(node: CssNodePlain): boolean {
  switch (node.type) {
    case 'Condition':
      return isConditionTrue(node.children, isSupported);
    case 'SupportsDeclaration':
      return isSupported(node.declaration);
    case 'Declaration':
      return !foreign.test(node.property) && !foreignValue.test(generate(fromPlainObject(node.value)));
    case 'FeatureFunction':
      return !/:-(moz|ms|o)-/i.test(generate(fromPlainObject(node.value)));
    default:
      return false;
  }
}
