import { picturePath } from '../../../api/visit-requests.ts';
import { formatMs } from '../../../format/format-times.ts';
import { lookAt, type Film } from './film.ts';

/** Elements of a WebM file that lead to its pictures. https://www.rfc-editor.org/rfc/rfc9559 */
const segment = 0x18538067;
const cluster = 0x1f43b675;
const blockGroup = 0xa0;
const timestamp = 0xe7;
const blocks = [0xa3, 0xa1];

const pictureWidthPx = 640;
const gapPx = 16;
const headPx = 36;
const footPx = 32;
const framesPerSecond = 30;
/** How often what is coded is handed over. */
const sliceMs = 200;
/** How long the end stays, and how much of that is in the video at least. */
const endMs = 1000;
const leastEndMs = 200;
/** How long a busy computer may take for that. */
const patienceMs = 30_000;
/** VP8 first: it takes the least time, so that a busy computer keeps up. */
const types = ['video/webm;codecs=vp8', 'video/webm;codecs=vp9', 'video/webm'];

/** Null where the browser cannot record. */
export function findVideoType(): string | null {
  if (typeof MediaRecorder === 'undefined') return null;
  return types.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

/**
 * The films side by side as one video, played from 0 to `untilMs` in real time. Rejects with the reason of `signal` when it aborts, and
 * where the browser cannot record.
 */
export async function recordFilms(
  films: readonly Film[],
  {
    untilMs,
    type,
    signal,
    onTime,
  }: { untilMs: number; type: string; signal: AbortSignal; onTime: (ms: number) => void },
): Promise<Blob> {
  const pictures = await loadPictures(films);
  const heightPx = Math.round(pictureWidthPx / Math.min(...films.map(({ shape }) => shape)));
  const canvas = document.createElement('canvas');
  // Coders take even sizes only.
  canvas.width = even(films.length * (pictureWidthPx + gapPx) + gapPx);
  canvas.height = even(headPx + heightPx + footPx);
  const context = canvas.getContext('2d')!;
  const recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), { mimeType: type });
  const parts: Blob[] = [];
  const startedMs = performance.now();
  // What is not coded yet when the recorder stops is lost, and a busy computer is seconds behind.
  let isEndCoded = false;
  recorder.addEventListener('dataavailable', ({ data }) => {
    parts.push(data);
    if (performance.now() - startedMs < untilMs + endMs) return;
    void new Blob(parts).arrayBuffer().then((coded) => {
      isEndCoded ||= (readCodedEnd(new Uint8Array(coded)) ?? 0) >= untilMs + leastEndMs;
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  recorder.addEventListener('stop', () =>
    signal.aborted
      ? reject(signal.reason as Error)
      : isEndCoded
        ? resolve(new Blob(parts, { type: type.split(';')[0]! }))
        : reject(new Error('The browser is too busy to record. Close other programs, and try again.')),
  );
  recorder.addEventListener('error', () => reject(new Error('The browser could not record the video')));
  drawFilms(context, { films, pictures, heightPx, ms: 0 });
  recorder.start(sliceMs);
  const step = () => {
    const ms = performance.now() - startedMs;
    if (signal.aborted || isEndCoded || ms > untilMs + endMs + patienceMs) {
      recorder.stop();
      return;
    }
    const shownMs = Math.min(ms, untilMs);
    drawFilms(context, { films, pictures, heightPx, ms: shownMs });
    onTime(shownMs);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return promise;
}

/** By their sha256; without those that are not there. */
async function loadPictures(films: readonly Film[]): Promise<Map<string, HTMLImageElement>> {
  const wanted = new Set(films.flatMap(({ looks }) => looks.map(({ sha256 }) => sha256)));
  const loaded = await Promise.all(
    [...wanted].map(async (sha256): Promise<[string, HTMLImageElement][]> => {
      const image = new Image();
      image.src = picturePath(sha256);
      try {
        await image.decode();
        return [[sha256, image]];
      } catch {
        // Its Agent has not uploaded it yet, or it was removed: the film then has a grey picture, as the strip has.
        return [];
      }
    }),
  );
  return new Map(loaded.flat());
}

function drawFilms(
  context: CanvasRenderingContext2D,
  {
    films,
    pictures,
    heightPx,
    ms,
  }: { films: readonly Film[]; pictures: ReadonlyMap<string, HTMLImageElement>; heightPx: number; ms: number },
): void {
  const { width, height } = context.canvas;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  films.forEach((film, index) => {
    const leftPx = gapPx + index * (pictureWidthPx + gapPx);
    context.fillStyle = film.style?.colour ?? '#808080';
    context.fillRect(leftPx, 12, 12, 12);
    context.fillStyle = '#000000';
    context.font = '600 16px system-ui, sans-serif';
    context.fillText(film.name, leftPx + 20, 24, pictureWidthPx - 140);
    context.textAlign = 'right';
    context.fillText(formatMs(ms), leftPx + pictureWidthPx, 24);
    context.textAlign = 'left';
    const look = lookAt(film, ms);
    const picture = look && pictures.get(look.sha256);
    const ownHeightPx = pictureWidthPx / film.shape;
    context.fillStyle = look ? '#d0d3d9' : '#f1f2f4';
    context.fillRect(leftPx, headPx, pictureWidthPx, ownHeightPx);
    if (picture) context.drawImage(picture, leftPx, headPx, pictureWidthPx, ownHeightPx);
    context.strokeStyle = '#9aa0ab';
    context.strokeRect(leftPx + 0.5, headPx + 0.5, pictureWidthPx - 1, ownHeightPx - 1);
    context.fillStyle = '#000000';
    context.font = '14px system-ui, sans-serif';
    context.fillText(describeMoments(film, ms), leftPx, headPx + heightPx + 21, pictureWidthPx);
  });
}

/** The moments that have passed, with their times. */
export function describeMoments({ moments }: Film, ms: number): string {
  return moments
    .filter(({ atMs }) => atMs <= ms)
    .map(({ label, atMs }) => `${label} ${formatMs(atMs)}`)
    .join('   ');
}

const even = (pixels: number) => 2 * Math.ceil(pixels / 2);

/** The time of the last picture in a WebM file that is still being written, in ms; null where it has none yet. */
export function readCodedEnd(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [clusterMs, lastMs]: [number, number | null] = [0, null];
  for (let at = 0; at < bytes.length;) {
    const id = readNumber(view, at, { keepsMarker: true });
    const size = id && readNumber(view, at + id.length, { keepsMarker: false });
    if (!size) break;
    const start = at + id.length + size.length;
    const isOuter = id.value === segment || id.value === cluster || id.value === blockGroup;
    const end = isOuter ? start : start + size.value;
    if (end > bytes.length) break;
    if (id.value === timestamp) clusterMs = bytes.slice(start, end).reduce((sum, byte) => sum * 256 + byte, 0);
    // The number of the track has one byte; the time behind it counts from that of the cluster.
    if (blocks.includes(id.value) && size.value >= 3) lastMs = clusterMs + view.getInt16(start + 1);
    at = end;
  }
  return lastMs;
}

/** A number of EBML, whose first byte says how long it is; null where it is not whole, or none. */
function readNumber(
  view: DataView,
  at: number,
  { keepsMarker }: { keepsMarker: boolean },
): { value: number; length: number } | null {
  if (at >= view.byteLength) return null;
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.byteLength) return null;
  let value = keepsMarker ? first : first & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + view.getUint8(at + index);
  return { value, length };
}
