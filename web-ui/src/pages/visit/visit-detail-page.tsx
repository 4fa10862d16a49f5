import { Anchor, Button, Group, Text, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { explainUngiven } from '#core/evaluation/artefact-givers.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { tracePath } from '../../api/capture-requests.ts';
import { captureQuery, visitQuery, runQuery } from '../../api/queries.ts';
import { visitsAddress } from '../../api/visit-search.ts';
import { harPath, visitPath, screenshotPath } from '../../api/visit-requests.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { MeasuredUrl } from '../../components/measured-url.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatClockError, formatTime, formatMs } from '../../format/format-times.ts';
import { makeFilm } from './film/film.ts';
import { FilmPlayer } from './film/film-player.tsx';
import { ReplaySection } from './replay-section.tsx';
import { explainNoReading, ReadingsSection } from './readings-section.tsx';
import { useSeenVisit } from './use-seen-visit.ts';
import { ExclusionForm, ExclusionNotice } from './visit-exclusion.tsx';
import { VisitNotices } from './visit-notices.tsx';
import { WaterfallSection } from './waterfall-section.tsx';
import { counterpartAddress } from '../../api/pair-search.ts';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { useState } from 'react';
import classes from './waterfall.module.css';

/** One Visit and its evidence. */
export function VisitPage() {
  const { runId = '', visitId = '' } = useParams();
  const query = useQuery(visitQuery(visitId));
  return (
    <QueryContent query={query} what="The Visit" parent={{ to: `/runs/${runId}/visits`, label: 'Visits' }}>
      {(visit) => <VisitContent visit={visit} key={visit.id} />}
    </QueryContent>
  );
}

function VisitContent({ visit }: { visit: VisitDetail }) {
  const { runId, url, address, snapshot, status } = visit;
  const seen = useSeenVisit(visit);
  return (
    <>
      <PageHeader
        title={address.replace(/^https?:\/\//i, '')}
        documentTitle={`Visit of ${address}`}
        parent={{
          to: visitsAddress({ runId, scenario: visit.scenario, url }),
          label: 'Visits of this URL under this Scenario',
        }}
        beside={<StateDot state={status === 'ok' ? 'good' : 'bad'} label={status} />}
        description={
          <>
            <Term of="visit">Visit</Term> of <MeasuredUrl url={address} /> in{' '}
            <Anchor component={Link} to={`/runs/${runId}`} inherit underline="always">
              Run {runId}
            </Anchor>
          </>
        }
        actions={
          <>
            <CompareMenu visit={visit} />
            <Neighbours visit={visit} />
          </>
        }
      />
      <VisitNotices visit={visit} />
      <Facts facts={listVisitFacts(visit)} />
      <Group gap="sm" className="no-print">
        <Downloads visit={visit} />
        {!visit.exclusion && <ExclusionForm visit={visit} />}
      </Group>
      {visit.exclusion && <ExclusionNotice visit={visit} exclusion={visit.exclusion} />}
      {snapshot && seen.waterfall && (
        <WaterfallSection seen={seen} waterfall={seen.waterfall} viewport={snapshot.viewport} />
      )}
      {snapshot?.replay && <ReplaySection visitId={visit.id} />}
      {seen.looks.length > 0 && (
        <Section title="Film">
          <FilmPlayer films={[makeFilm(seen)]} />
        </Section>
      )}
      <VisitScreenshot visit={visit} />
      <ReadingsSection visit={visit} />
    </>
  );
}

function Neighbours({ visit: { runId, previousId, nextId } }: { visit: VisitDetail }) {
  const step = (id: string | null, label: string) =>
    id === null ? (
      <Button variant="default" disabled>
        {label}
      </Button>
    ) : (
      <Button component={Link} to={`/runs/${runId}/visits/${id}`} variant="default">
        {label}
      </Button>
    );
  return (
    <>
      {step(previousId, '← Previous in the Pass')}
      {step(nextId, 'Next in the Pass →')}
    </>
  );
}

function Downloads({ visit: { id, passId, snapshot } }: { visit: VisitDetail }) {
  const { data: capture } = useQuery(captureQuery({ kind: 'pass', id: passId }));
  const hasTrace = capture?.kind === 'captured' && capture.trace.kind === 'kept';
  const link = (href: string, label: string, fileName?: string) => (
    <Button component="a" href={href} download={fileName ?? true} variant="default">
      {label}
    </Button>
  );
  return (
    <>
      {snapshot && link(harPath(id), 'HAR')}
      {hasTrace && link(tracePath({ kind: 'pass', id: passId }), 'Packets of the Pass')}
      {link(visitPath(id), snapshot ? 'Snapshot and Readings as JSON' : 'Visit as JSON', `visit-${id}.json`)}
    </>
  );
}

function listVisitFacts(visit: VisitDetail): Fact[] {
  const { readings, scenario, userAgent, agent, block, sequence, repetition, startedAt, clockOffsetMs, clockErrorMs } =
    visit;
  const { hostDelayMs } = visit;
  const latency = (metric: 'baseMs' | 'viewportMs' | 'totalMs'): Fact => ({
    label: <Term metric={metric} />,
    value:
      readings[metric] === undefined ? (
        <AbsentValue reason={explainNoReading(metric, visit)} />
      ) : (
        <strong>{formatMs(readings[metric])}</strong>
      ),
  });
  return [
    latency('baseMs'),
    latency('viewportMs'),
    latency('totalMs'),
    { label: <Term of="scenario">Scenario</Term>, value: scenario },
    { label: <Term of="userAgent">User Agent</Term>, value: userAgent },
    { label: <Term of="host">Host</Term>, value: agent },
    { label: <Term of="block">Block</Term>, value: String(block) },
    { label: 'Position in the Pass', value: String(sequence + 1) },
    { label: 'Repetition', value: String(repetition) },
    { label: 'Started', value: formatTime(startedAt) },
    {
      label: <Term of="clockOffset">Clock offset</Term>,
      value: `${formatMs(clockOffsetMs)} ${formatClockError(clockErrorMs)}`,
    },
    ...(hostDelayMs === null
      ? []
      : [{ label: <Term of="hostDelay">Held up by the host</Term>, value: `at most ${formatMs(hostDelayMs)}` }]),
  ];
}

/** The way to this Visit beside that of the same Block under another Scenario, and beside loads of other programs. Not there where there is neither. */
function CompareMenu({ visit: { id, runId, scenario, warmUp, snapshot } }: { visit: VisitDetail }) {
  const { data: run } = useQuery(runQuery(runId));
  const scenarios = run?.evaluation.scenarios ?? [];
  const others = warmUp ? [] : scenarios.filter(({ name }) => name !== scenario);
  if (others.length === 0 && !snapshot) return null;
  const styles = styleScenarios(markTraits(scenarios));
  return (
    <Menu>
      <Menu.Target>
        {/* Its list must not grow while it is open. */}
        <Button variant="default" disabled={!run}>
          Compare with…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.length > 0 && <Menu.Label>The same page and Block under</Menu.Label>}
        {others.map(({ name }) => (
          <Menu.Item
            key={name}
            component={Link}
            to={counterpartAddress(runId, { first: id, scenario: name, metric: 'totalMs' })}
          >
            <ScenarioName name={name} style={styles.get(name)} />
          </Menu.Item>
        ))}
        {snapshot && (
          <Menu.Item component={Link} to={`/har?visit=${id}`}>
            A HAR of another program
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What the viewport showed after the Visit was measured, or why there is no picture. Nothing where none was requested. */
function VisitScreenshot({ visit }: { visit: VisitDetail }) {
  const { id, screenshot } = visit;
  const [isMissing, setMissing] = useState(false);
  const { data: run } = useQuery(runQuery(visit.runId));
  const ungiven = run ? explainUngiven(run.evaluation, 'screenshot', visit) : null;
  if (screenshot === null && ungiven === null) return null;
  const absence =
    screenshot === null
      ? ungiven
      : screenshot.kind === 'absent'
        ? screenshot.reason
        : isMissing
          ? 'Its Agent has not uploaded it yet, or it was removed to make room'
          : null;
  return (
    <Section title="Screenshot">
      {absence === null ? (
        <Anchor href={screenshotPath(id)} target="_blank" rel="noopener">
          <img
            className={classes.shot}
            src={screenshotPath(id)}
            alt="The viewport after the Visit was measured"
            onError={() => setMissing(true)}
          />
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          No picture: {absence}.
        </Text>
      )}
    </Section>
  );
}
