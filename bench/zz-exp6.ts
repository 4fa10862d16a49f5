import { startOrigin } from '#testbed/origin/start-origin.ts';
import { conformanceEngines } from '#tests/browser/support/conformance-engines.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit.ts';
import { NetworkRecorder } from '#agent/engines/firefox/network-recorder.ts';
const orig = NetworkRecorder.prototype.noteRequest;
NetworkRecorder.prototype.noteRequest = function (e: any) { if (e.request.url.includes('style')) console.log('BiDi', e.request.url.slice(-60), e.request.initiatorType, e.request.destination, e.initiator, [...e.request.headers].filter(([k]: any) => k === 'referer')); return orig.call(this, e); };
await using origin = await startOrigin();
for (const e of conformanceEngines.filter((e) => e.name.endsWith('firefox'))) {
  await using session = await e.open({ browser: { trustedKeys: [origin.trustedKey] } });
  const s = await takeSnapshot(session, `${origin.http2Url}/hard-cases?visit=${e.name}`);
  for (const f of s.frames) if (f.opaqueStyleSheets.length || f.undeclaredFontFamilies.length || f.declaredFontUrls.length) console.log(e.name, f.path, 'opaque', f.opaqueStyleSheets, 'undeclared', f.undeclaredFontFamilies, 'declared', f.declaredFontUrls);
  const { findViewportObjects } = await import('#core/metrics/find-viewport-objects.ts');
  console.log(findViewportObjects(s)!.filter((o) => o.kind === 'font' || o.url.includes('style')), s.frames[0].viewportNeeds.filter((n: any) => n.kind === 'font'));
  for (const r of s.requests) if (r.type === 'style-sheet') console.log(r.url, r.initiatorUrl);
}
