import { z } from 'zod';
import { LinkProfileInputSchema, resolveLinkProfile, type LinkProfileInput } from './link-profile-input.ts';
import type { LinkProfile } from './link-profile.ts';

/** The parts of a path, from the users to the origins. */
export const segments = ['access', 'satellite', 'terrestrial'] as const;
export type Segment = (typeof segments)[number];

/** What lies on both sides of the emulated link, which is then the satellite segment: users — terminal — gateway — origins. */
export const NetworkPathSchema = z.strictObject({
  access: LinkProfileInputSchema.optional().describe(
    'Between the users and the terminal, as a link. Without it, a plain wire.',
  ),
  terrestrial: LinkProfileInputSchema.optional().describe(
    'Between the gateway and the origins, as a link. Without it, a plain wire.',
  ),
});
export type NetworkPath = z.infer<typeof NetworkPathSchema>;

export interface SegmentProfile {
  segment: Segment;
  profile: LinkProfile;
}

/** The segments that are links, from the users to the origins: of a network without a path, the satellite alone. */
export function listSegments({
  link,
  path = {},
}: {
  link: LinkProfileInput;
  path?: NetworkPath | undefined;
}): SegmentProfile[] {
  const inputs = { access: path.access, satellite: link, terrestrial: path.terrestrial };
  return segments.flatMap((segment) => {
    const input = inputs[segment];
    return input === undefined ? [] : [{ segment, profile: resolveLinkProfile(input) }];
  });
}
