import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { fillVariables } from '#core/evaluation/pages/variables.ts';
import { formatCount } from '../../../../format/format-numbers.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readList, readPath, readText } from '../../editor/path.ts';
import { describeDirection } from '#core/evaluation/network/describe-link.ts';
import classes from './path-picture.module.css';
import { expandSweeps, isTemplate } from '#core/evaluation/sweep/expand-sweeps.ts';

interface Station {
  title: string;
  detail: string;
  kind: 'plain' | 'link' | 'absent';
  /** A second line under the first. */
  more?: string;
}

/** The way of a request in one Scenario, or in the first of a sweep: users — host — link — proxy — origin. */
export function PathPicture({ index }: { index: number }) {
  const { input } = useEditor();
  const stations = listStations(input, index);
  const spoken = stations
    .filter(({ kind }) => kind !== 'absent')
    .map(({ title, detail, more }) => [title, detail, more].filter(Boolean).join(', '));
  return (
    <figure className={classes.figure}>
      <svg
        className={classes.picture}
        viewBox={`0 0 ${stations.length * step} 92`}
        role="img"
        aria-label={`The path of a request: ${spoken.join('; then ')}`}
      >
        {stations.map((station, place) => (
          <StationPicture key={place} station={station} leftPx={place * step} isLast={place === stations.length - 1} />
        ))}
      </svg>
    </figure>
  );
}

const step = 170;
const width = 140;

function StationPicture({ station, leftPx, isLast }: { station: Station; leftPx: number; isLast: boolean }) {
  const { title, detail, more = '', kind } = station;
  const middlePx = leftPx + step / 2;
  return (
    <g data-kind={kind} className={classes.station}>
      {!isLast && <path className={classes.line} d={`M${leftPx + (step + width) / 2} 32h${step - width}`} />}
      {kind === 'link' ? (
        <path
          className={classes.box}
          d={`M${middlePx - width / 2} 32 q 17.5 -26 35 0 t 35 0 t 35 0 t 35 0`}
          fill="none"
        />
      ) : (
        <rect className={classes.box} x={middlePx - width / 2} y={12} width={width} height={40} rx={8} />
      )}
      <text className={classes.title} x={middlePx} y={kind === 'link' ? 12 : 37}>
        {shorten(title, 19)}
      </text>
      <text className={classes.detail} x={middlePx} y={69}>
        {shorten(detail, 27)}
      </text>
      <text className={classes.detail} x={middlePx} y={84}>
        {shorten(more, 27)}
      </text>
      <title>{[title, detail, more].filter(Boolean).join(', ')}</title>
    </g>
  );
}

function shorten(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}

function listStations(input: unknown, index: number): Station[] {
  const userAgents = readList(input, ['userAgents']);
  const hosts = [...new Set(userAgents.map((userAgent) => readText(userAgent, ['host'])).filter(Boolean))];
  const engines = [...new Set(userAgents.map((userAgent) => readText(userAgent, ['engine']) || 'chrome'))];
  const scenario = showFirst(readPath(input, ['scenarios', index]));
  const origins = listOrigins(input, scenario);
  return [
    { title: formatCount(userAgents.length, 'User Agent'), detail: engines.join(', '), kind: 'plain' },
    {
      title: hosts.length === 1 ? hosts[0]! : formatCount(hosts.length, 'host'),
      detail: hosts.length === 1 ? 'host' : hosts.join(', '),
      kind: 'plain',
    },
    ...listLinkStations(scenario),
    describeProxyStation(scenario),
    {
      title: origins.length === 1 ? origins[0]! : formatCount(origins.length, 'origin'),
      detail: origins.length === 1 ? 'origin' : origins.join(', '),
      kind: 'plain',
    },
  ];
}

/** The link, with the nodes of a path and what lies beyond them. */
function listLinkStations(scenario: unknown): Station[] {
  const link = describeLinkStation(scenario);
  if (readPath(scenario, ['network', 'path']) === undefined) return [link];
  const describeNode = (place: 'terminal' | 'gateway', segment: 'access' | 'terrestrial'): Station => {
    const parsed = LinkProfileInputSchema.safeParse(readPath(scenario, ['network', 'path', segment]));
    const more = parsed.success ? `${segment}: ${describeDirection(resolveLinkProfile(parsed.data).forward)}` : '';
    return { title: place, detail: splitsAt(scenario, place) ? 'splits TCP' : 'node', more, kind: 'plain' };
  };
  return [describeNode('terminal', 'access'), link, describeNode('gateway', 'terrestrial')];
}

function splitsAt(scenario: unknown, place: string): boolean {
  const pep = readPath(scenario, ['network', 'tcpPep']);
  const at = readPath(pep, ['at']) ?? ['terminal', 'gateway'];
  return pep !== undefined && (Array.isArray(at) ? at.includes(place) : at === place);
}

function describeLinkStation(scenario: unknown): Station {
  const parsed = LinkProfileInputSchema.safeParse(readPath(scenario, ['network', 'link']));
  if (readPath(scenario, ['network']) === undefined)
    return { title: 'no emulated link', detail: 'the real network', kind: 'absent' };
  if (!parsed.success) return { title: 'link', detail: 'not complete', kind: 'absent' };
  const link = resolveLinkProfile(parsed.data);
  return {
    title: link.name === 'custom' ? 'link' : link.name,
    detail: `→ ${describeDirection(link.return)}`,
    more: `← ${describeDirection(link.forward)}`,
    kind: 'link',
  };
}

function describeProxyStation(scenario: unknown): Station {
  const proxy = readText(scenario, ['browser', 'proxy']);
  if (proxy) return { title: URL.canParse(proxy) ? new URL(proxy).host : proxy, detail: 'proxy', kind: 'plain' };
  if (readText(scenario, ['browser', 'pac'])) return { title: 'by script', detail: 'proxy (PAC)', kind: 'plain' };
  return { title: 'no proxy', detail: '', kind: 'absent' };
}

function listOrigins(input: unknown, scenario: unknown): string[] {
  const variables = readPath(scenario, ['variables']);
  const values = typeof variables === 'object' && variables !== null ? { ...variables } : {};
  const lists = readPath(input, ['urlLists']);
  const entries =
    typeof lists === 'object' && lists !== null
      ? Object.values(lists).flatMap((list: unknown) => (Array.isArray(list) ? (list as unknown[]) : []))
      : [];
  const origins = entries
    .map((entry) => fillVariables(readText(entry, ['url']), values))
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).host);
  return [...new Set(origins)];
}

/** The first Scenario that an entry stands for; the entry itself where it has no sweep, or a wrong one. */
function showFirst(entry: unknown): unknown {
  if (!isTemplate(entry)) return entry;
  const expanded = expandSweeps([entry]);
  return expanded.kind === 'expanded' ? expanded.scenarios[0] : entry;
}
