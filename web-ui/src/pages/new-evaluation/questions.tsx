import {
  Alert,
  Anchor,
  Button,
  Group,
  NumberInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { LinkPreset } from '#core/evaluation/network/link-profile-presets.ts';
import { expandUrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { TypedUrlListSchema } from '#core/evaluation/pages/url-list.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { listMeasurers } from '../evaluation/list-measurers.ts';
import { AddHostDialog } from '../hosts/add-host-dialog.tsx';
import {
  comparisonKinds,
  comparisons,
  findFirstComparison,
  findTestbed,
  httpepEnds,
  type ComparisonKind,
} from './comparisons.ts';
import classes from './questions.module.css';
import { ComparedFields } from './compared-fields.tsx';
import { DraftPanel } from './draft-panel.tsx';
import { parseAddresses, writeFirstEvaluation, suggestTestPages } from './write-first-evaluation.ts';

const mostUsers = 50;

/** What is asked, by what can be wrong with the answer. */
const questions = {
  urls: 'Which pages?',
  kind: 'What is compared?',
  proxy: 'What is compared?',
  links: 'What is compared?',
  userCount: 'Who loads them?',
};

interface QuestionsProps {
  agents: readonly AgentSummary[];
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
  /** With the Evaluation that the answers make. */
  onAnswer: (yaml: string) => void;
}

/** What a first Evaluation needs to know: which pages, what is compared, and who loads them. The form has all the rest. */
export function Questions({ agents, takenNames, onAnswer }: QuestionsProps) {
  /** Null: those that are suggested. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosenKind, setChosenKind] = useState<ComparisonKind | null>(null);
  const [proxy, setProxy] = useState('');
  const [links, setLinks] = useState<readonly [LinkPreset, LinkPreset]>(['cable', 'geo-1m']);
  const [chosen, setChosen] = useState<string | null>(null);
  const [userCount, setUserCount] = useState<number | string>(2);
  const [isAsked, setIsAsked] = useState(false);
  const [isAdding, adding] = useDisclosure(false);

  const measurers = listMeasurers(agents);
  const measurer = measurers.find(({ key }) => key === chosen) ?? measurers[0];
  const about = {
    engine: measurer?.engine ?? 'chrome',
    settings: measurer?.settings,
    proxy: proxy.trim(),
    ...findTestbed(agents),
    links,
  };
  const kind = chosenKind ?? findFirstComparison(about);
  const origin = agents.find(({ name }) => name === measurer?.host)?.facts.origin ?? null;
  const suggested = origin === null ? '' : suggestTestPages(origin, kind);
  const addresses = typed ?? suggested;
  const urls = parseAddresses(addresses, { comparesProtocols: kind === 'protocols' });
  const parsedUrls = TypedUrlListSchema.safeParse(urls);
  const absence = comparisons[kind].explainAbsence(about);
  const problems = {
    urls: urls.length === 0 ? 'Enter the address of a page' : parsedUrls.error?.issues[0]?.message,
    kind: absence ?? undefined,
    proxy:
      kind === 'proxy' ? BrowserSettingsSchema.safeParse({ proxy: about.proxy }).error?.issues[0]?.message : undefined,
    links: kind === 'links' && links[0] === links[1] ? 'Choose another' : undefined,
    userCount: !isUserCount(userCount)
      ? `From 1 to ${mostUsers}`
      : kind === 'httpep' && measurer?.host === httpepEnds.remote.host && userCount > 1
        ? `On ${measurer.host}, HTTPEP takes all for one user: enter 1, or choose a host such as user1`
        : undefined,
  };
  // What is not asked for yet is not wrong yet.
  const shown = {
    ...problems,
    urls: isAsked || urls.length > 0 ? problems.urls : undefined,
    proxy: isAsked || proxy !== '' ? problems.proxy : undefined,
  };
  const [wrong] = (Object.keys(questions) as (keyof typeof shown)[]).filter((each) => shown[each] !== undefined);
  const isRight = Object.values(problems).every((problem) => problem === undefined);
  const answer = () => {
    setIsAsked(true);
    if (isRight && isUserCount(userCount))
      onAnswer(
        writeFirstEvaluation({
          ...{ ...about, kind, urls, origin, userCount, takenNames },
          host: measurer?.host ?? 'my-laptop',
        }),
      );
  };
  const skip = () =>
    onAnswer(
      writeFirstEvaluation({
        ...about,
        kind: 'own',
        urls: urls.length > 0 ? urls : [{ url: 'https://origin.example/' }],
        host: measurer?.host ?? 'my-laptop',
        origin,
        userCount: 2,
        takenNames,
      }),
    );

  return (
    <>
      <AddHostDialog isOpen={isAdding} onClose={adding.close} name="" />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          answer();
        }}
      >
        <div className={classes.columns}>
          <Stack gap={32} maw={820}>
            <Question title={questions.urls}>
              <Textarea
                aria-label="Addresses of the pages"
                description={
                  suggested !== '' && addresses === suggested
                    ? `Test pages on ${measurer?.host}: 5, 15 and 25 images, each 50 ms late. Replace them with your own.`
                    : 'One per line. https://origin.example/images/{5..25..5} is five addresses.'
                }
                placeholder="https://origin.example/"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autosize
                minRows={3}
                maxRows={12}
                spellCheck={false}
                value={addresses}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
                error={shown.urls}
                classNames={{ input: classes.code }}
              />
              <Group gap="lg" mih={22}>
                {parsedUrls.success && (
                  <Text size="sm" c="dimmed" role="status">
                    {formatCount(parsedUrls.data.flatMap(expandUrlEntry).length, 'page')}
                  </Text>
                )}
                {addresses !== suggested && suggested !== '' && (
                  <Anchor component="button" type="button" size="sm" onClick={() => setTyped(null)}>
                    Use the test pages
                  </Anchor>
                )}
                <Anchor component={Link} to="/sites" size="sm">
                  Load a recorded page instead
                </Anchor>
              </Group>
            </Question>

            <Question title={questions.kind}>
              <Radio.Group
                value={kind}
                onChange={(value) => {
                  setChosenKind(value);
                  // Its fields are new.
                  setIsAsked(false);
                }}
                aria-label="What is compared"
                error={problems.kind}
              >
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                  {comparisonKinds.map((each) => {
                    const why = comparisons[each].explainAbsence(about);
                    return (
                      <Radio.Card key={each} value={each} disabled={why !== null} className={classes.card}>
                        <Radio.Indicator disabled={why !== null} />
                        <span>
                          <span className={classes.label}>{comparisons[each].label}</span>
                          <span className={classes.detail}>{why ?? comparisons[each].detail}</span>
                        </span>
                      </Radio.Card>
                    );
                  })}
                </SimpleGrid>
              </Radio.Group>
              <ComparedFields
                kind={kind}
                testbed={about.testbed}
                isTestbedWhole={about.testbed !== null && about.hasHttpepEnds}
                proxy={proxy}
                onProxy={setProxy}
                proxyError={shown.proxy}
                links={links}
                onLinks={setLinks}
                linksError={problems.links}
              />
            </Question>

            <Question title={questions.userCount}>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                {measurer ? (
                  <Select
                    label="Browser and host"
                    data={measurers.map(({ key, engine, host }) => ({ value: key, label: `${engine} on ${host}` }))}
                    value={measurer.key}
                    onChange={setChosen}
                    allowDeselect={false}
                  />
                ) : (
                  <Alert variant="light" p="sm">
                    <Group gap="sm" justify="space-between">
                      <Text size="sm">No connected host can load pages.</Text>
                      <NeedsRole role="evaluator">
                        <Button size="compact-sm" onClick={adding.open}>
                          Add a host
                        </Button>
                      </NeedsRole>
                    </Group>
                  </Alert>
                )}
                <NumberInput
                  label={
                    <>
                      <Term of="userAgent">User Agents</Term>, all at the same time
                    </>
                  }
                  aria-label="User Agents"
                  value={userCount}
                  onChange={setUserCount}
                  min={1}
                  max={mostUsers}
                  clampBehavior="none"
                  allowDecimal={false}
                  error={problems.userCount}
                />
              </SimpleGrid>
            </Question>
          </Stack>
          <DraftPanel
            label={comparisons[kind].label}
            detail={[
              parsedUrls.success && formatCount(parsedUrls.data.flatMap(expandUrlEntry).length, 'page'),
              isUserCount(userCount) && formatCount(userCount, 'User Agent'),
              measurer && `${measurer.engine} on ${measurer.host}`,
            ]}
            wrong={wrong === undefined ? null : questions[wrong]}
            onSkip={skip}
          />
        </div>
      </form>
    </>
  );
}

function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

function isUserCount(value: number | string): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostUsers;
}
