import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { explainUnshownContent } from '#core/metrics/page-failure.ts';
import { NetworkError } from '../network/network-error.ts';

/** What browsers show by themselves; anything else they offer to save. */
const shownTypes =
  /^(text\/.*|image\/(png|x-png|apng|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp|svg\+xml|x-icon|vnd\.microsoft\.icon|x-xbitmap)|(audio|video)\/.*|application\/((x-)?(java|ecma)script|xhtml\+xml|xml|json|[\w.-]+\+(xml|json)))$/;

/** Texts that browsers offer to save all the same. https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/common/mime_util/mime_util.cc */
const savedTexts =
  /^text\/(x-)?(calendar|vcalendar|vcard|directory|ldif|qif|csv|vcf|rtf|comma-separated-values|tab-separated-values|tsv|ofx|vnd\.sun\.j2me\.app-descriptor)$/;

/** What says nothing of the type: browsers look into the document. https://mimesniff.spec.whatwg.org/#sniffing-in-general */
const unknownTypes = /^([^/]*|unknown\/unknown|application\/unknown|\*\/\*)$/;

/** The type of a document: HTML where its head says nothing of it. */
export function readType(contentType = ''): string {
  return unknownTypes.test(essenceOf(contentType)) ? 'text/html' : contentType;
}

/** Without its parameters. */
function essenceOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** Throws a NetworkError for a page that a browser does not show as a document. */
export function refuseDownload(contentType: string, disposition: string | undefined): void {
  const unshown = explainUnshownContent(contentType);
  if (unshown) throw new NetworkError(unshown.code, unshown.detail);
  const essence = essenceOf(contentType);
  if (isToBeSaved(disposition) || !shownTypes.test(essence) || savedTexts.test(essence))
    throw new NetworkError('unsupported-content', gaveFile);
}

/** A type that is not known means `attachment` (RFC 6266 section 4.2); one that is missing does not, in browsers. */
function isToBeSaved(disposition = ''): boolean {
  const type = disposition.split(';', 1)[0]!.trim().toLowerCase();
  return type !== '' && type !== 'inline' && !type.includes('=');
}
