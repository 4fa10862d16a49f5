import { withoutFragment } from '#core/metrics/page-object.ts';
import type { FrameSnapshot, NetworkRequest } from '#core/metrics/snapshot.ts';

/** Browsers call their requests for icons those for images. One that an element of the page made too has an entry that names the element, and stays an image: Firefox has entries of icons too, of `other`. */
export function markIcons(
  requests: readonly NetworkRequest[],
  { frames, iconUrls }: { frames: readonly Pick<FrameSnapshot, 'resources'>[]; iconUrls: readonly string[] },
): void {
  const icons = new Set(iconUrls.map(withoutFragment));
  const named = new Set(
    frames.flatMap(({ resources }) =>
      resources.filter(({ initiatorType }) => initiatorType !== 'other').map(({ name }) => withoutFragment(name)),
    ),
  );
  const firstUrls = new Map(requests.filter(({ hop }) => hop === 0).map(({ id, url }) => [id, withoutFragment(url)]));
  for (const request of requests) {
    const url = firstUrls.get(request.id) ?? '';
    if (['image', 'other'].includes(request.type) && icons.has(url) && !named.has(url)) request.type = 'icon';
  }
}
