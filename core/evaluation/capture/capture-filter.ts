import { z } from 'zod';

/**
 * Which packets are captured, in the language of pcap-filter(7); empty: all. Its grammar is checked by libpcap on the host that captures; here only
 * what would reach beyond the brackets that are put around it.
 */
export const CaptureFilterSchema = z
  .string({ error: 'must be a pcap filter, such as "tcp port 80"' })
  .trim()
  .max(4000, 'must have at most 4000 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must be a single line')
  .refine(hasMatchingBrackets, 'has unmatched brackets');

function hasMatchingBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
