import type { ReactNode } from 'react';
import { catalogue, type MetricId } from '#core/metrics/index.ts';
import { Tooltip } from '@mantine/core';
import classes from './term.module.css';

/** The words of the project and what they mean. The documentation has the same definitions. */
const glossary = {
  evaluation: 'What the evaluator configures: parameters, URL lists, a set of User Agents, a set of Scenarios.',
  scenario: 'The conditions of one arm of the comparison: scripts on named hosts, proxy, browser settings.',
  baseline: 'The Scenario that all others are compared with. Where Scenarios have groups, each group has its own.',
  scenarioVariable:
    'A value of a Scenario by name, such as origin or rateKbps. URLs can contain it, and figures can be drawn over it.',
  group: 'Scenarios that are compared with one baseline, such as those of one link rate.',
  userAgent: 'One simulated user: engine, host, user class and URL list.',
  harm: 'The part of a latency that the other users cause: 1 − alone / together.',
  userClass: 'A group of User Agents whose results belong together, such as gold, silver and bronze.',
  engine: 'What loads the page for a User Agent.',
  httpVersions:
    'The HTTP versions of the objects that count for total latency, where the engine or the page reports them. Objects from the cache are not included.',
  agent: 'The process on a host that is connected to the Controller and runs one or more User Agents.',
  host: 'A machine that an Agent runs on, with its interfaces.',
  distance: 'How far a host was while it was recorded: the time that one round trip to it took.',
  replayScore:
    'The mean of what is known of five parts: recorded objects that were requested, sizes, hosts, connections, and the order of requests. Latencies depend on the link, and are no part of it.',
  thinkTime: 'What a server took from the end of a request to the first byte of its answer, without the round trip.',
  site: 'A recording of the pages of a real site: every host and every answer. The testbed replays it.',
  run: 'One execution of an Evaluation. It freezes a copy of the configuration and a random seed.',
  resource:
    'A name for what Runs share besides hosts and the hosts of their URLs, such as a link or a server behind several names. Runs that share anything wait for each other, in the order in which they were started.',
  runsBeside:
    'Runs that were under way while this one was. They share no host, no declared resource and no host of a URL with it. Other things may be shared, such as an uplink or a virtual machine’s hardware.',
  block: 'Every Scenario once, in random order.',
  round:
    'One Scenario within one Block: all User Agents start at the same instant. It is the unit of retry and of statistical independence.',
  pass: 'One User Agent’s part of a Round: its URL list, once, in sequence.',
  visit: 'One load of one URL by one User Agent in one Round.',
  warmUp: 'A first Block that is measured and kept, but left out of the statistics.',
  mayAddRounds:
    'Each time that Rounds are added, the result is looked at once more. If you declare this before the Run, intervals are a little wider from the start (96 % for 95 %), and hold their confidence over all looks.',
  brokenRound: 'A Round that lost a Pass. It is kept, left out of the statistics, and repeated whole.',
  failedVisit: 'A Visit that ended without a page. It is a result with a code, counted here and left out of the means.',
  failedObjects:
    'Objects with an HTTP status of 400 or more, or with no response. They are counted in all Visits of the Scenario that loaded. Those above the fewest failures of any Visit of the page are lost.',
  lostObjects:
    'More objects failed than in that Visit of the page which has fewest failures. Such a page may look fast. The same rule holds for every Scenario. The Comparison always reports how many Visits lost objects.',
  unsettled:
    'The page was not quiet by the hard cap. Its total latency covers what had arrived by then. If an object that counts was still in flight, the total latency is not known.',
  hidden: 'The tab was hidden, so the browser held back timings. The Visit is flagged and kept.',
  startSkew:
    'The largest difference between the starts of the User Agents of one Round. A start is the order to the engine to load, less the User Agent’s intended offset. ± is the error, because the clocks of hosts differ.',
  firstRequestSkew:
    'How far apart the first requests of the User Agents were sent, with the error of clocks and engines. Those that need longer begin earlier, by what earlier Rounds showed.',
  hostDelay:
    'By how much the host may have held up a Visit, at most. It is how long a main thread of the browser waited for a processor, or, if larger, how late a timer of the Agent came.',
  pageSkew:
    'How far apart User Agents that begin every page together sent the first requests of a page. It is the largest of all pages after the first.',
  barrier:
    'User Agents always start a Round together. Then each continues by itself, so that a fast one is soon pages ahead and leaves the link to others. With every page, each page begins for all when the last has ended the one before and rested.',
  firstPacketSkew:
    'Like start skew, but between the first packets to the first pages. It includes the time that each engine needs to start.',
  hostLoad:
    'How busy a host was during its Passes, with its browsers and all other programs. It lists the share of all CPUs in use, and the share of time that programs waited for a CPU, memory or a disk.',
  linkCheck:
    'A measurement of the emulated link right before the Round: round trip, rate and loss, compared with its profile.',
  networkFigures:
    'What the testbed counted from the link check to the end of the Round. Capacity on demand: what was assigned, used and wasted. Background load: throughput, loss and delay. Transport PEP: connections that it split, and their bytes. Tunnel: bytes in it, and on the link for them. Missed: packets that the link lost as the machine could not keep up.',
  tunnel:
    'A VPN between users and origin, across the emulated link. Counters of the kernel show whether anything passed beside it. If so, the Round is broken.',
  seed: 'The number that determines the random order of the Scenarios. The same seed gives the same order.',
  interval: 'Confidence interval of the mean, from the means of the Rounds (Student’s t).',
  reduction:
    'How much less time a Scenario takes than the baseline, with its confidence interval. It is 1 − the ratio of their geometric means over URLs and User Agents, paired by Block. A page of 100 ms counts as much as one of 10 s, so it can differ from the arithmetic means.',
  meanReduction:
    'The reduction of arithmetic means, as papers usually print it, with its confidence interval (Fieller). Slow pages weigh more than fast ones.',
  mean: 'Arithmetic mean over the URLs and User Agents of each Round, then over the Rounds. Slow pages weigh more than fast ones.',
  meanDifference:
    'The mean of the Scenario minus the mean of the baseline, with its confidence interval. It covers the pages that both have, paired by Block. Less: the Scenario takes less time.',
  correctedP:
    'How probable such a large reduction is by chance alone (Student’s t). It is corrected by Holm’s method over all URLs and Scenarios of the metric, and for a stop rule.',
  equivalence:
    'The difference is shown to be smaller than the margin that the Evaluation declared (two one-sided tests). A test that finds no difference does not show this.',
  clockOffset: 'Controller clock minus Agent clock, and the bound of its error: half the round trip of the reading.',
  cache:
    'cold: cleared before each Visit, connections too. warm: kept, after one unmeasured load of each URL. per Pass: empty at its start, then kept.',
  capture: 'The packets of one Pass on the User Agent’s interface, and their statistics.',
  capturePoint:
    'A place in the network, other than a User Agent’s interface, where packets are captured in every Round, such as a proxy.',
  signalling: 'TCP segments without data, such as acknowledgements.',
  bandwidthShare: 'The share of one User Agent in the bytes that all User Agents received while all were active.',
  fairness:
    'Jain’s index of what the User Agents received: 1 when all received the same, 1/n when one of n received all.',
  weightedFairness:
    'Jain’s index of what each User Agent received, divided by its weight (an equal part of its class). 1 means that all received in proportion.',
  leastToMost:
    'The least that a User Agent received, divided by the most: 1 when all received the same, 0 when one received nothing.',
  startOrder:
    'All User Agents of a Round start together, but one is always slightly earlier. The figure shows whether that is an advantage. 1 is the average of the Round.',
  variable: 'A number that belongs to a URL, such as its count of images. Charts can plot latency against it.',
} as const;

type GlossaryEntry = keyof typeof glossary;

type TermProps = { of: GlossaryEntry; children: ReactNode } | { metric: MetricId; children?: ReactNode };

/** A word of the vocabulary with its definition one hover (or focus) away. */
export function Term(props: TermProps) {
  const definition = 'metric' in props ? catalogue[props.metric].definition : glossary[props.of];
  const word = 'metric' in props ? (props.children ?? catalogue[props.metric].label) : props.children;
  return <Defined definition={definition}>{word}</Defined>;
}

/** A word with its definition one hover (or focus) away. */
export function Defined({ definition, children }: { definition: string; children: ReactNode }) {
  return (
    <Tooltip label={definition}>
      <span className={classes.term} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
