import { z } from 'zod';
import { AppError, errorStatus, type ErrorCode } from '#core/app-error.ts';
import { WireComparisonSchema, type WireComparison } from '#core/comparison/network/compare-wire.ts';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { EstimateAnswerSchema, type EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { EvaluationSummarySchema, type EvaluationSummary } from '#core/protocol/api/evaluation-summary.ts';
import { EvaluationTrendSchema, type EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import {
  StoredEvaluationSchema,
  KeptEvaluationSchema,
  type StoredEvaluation,
  type KeptEvaluation,
} from '#core/protocol/api/stored-evaluation.ts';
import { ListedSiteSchema, type ListedSite } from '#core/protocol/api/stored-site.ts';
import { ProblemSchema, type Problem } from '#core/protocol/api/problem.ts';
import { RunContentsSchema, type RunContents } from '#core/protocol/api/run-contents.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import { RoundsProposalSchema, type RoundsProposal } from '#core/protocol/api/rounds-proposal.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { MeasurementsSchema, type Measurements } from '#core/record/measurements.ts';
import { RunMethodSchema, type RunMethod } from '#core/record/run-method.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { ComparisonSchema, type Comparison } from '#core/comparison/comparison.ts';
import type { ComparedCells } from '#core/protocol/api/user-cells.ts';
import type { ControllerAccess } from './controller-access.ts';

/** The Controller refused a request, and says why. */
export class ProblemError extends AppError {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(Object.hasOwn(errorStatus, problem.code) ? (problem.code as ErrorCode) : 'internal', problem.message);
    this.problem = problem;
  }
}

/** The Controller's API as the commands use it. Every method throws a ProblemError, or `controller-unreachable`. */
export class ControllerClient {
  readonly url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor({ url, token }: ControllerAccess, signal: AbortSignal) {
    this.url = url;
    this.#token = token;
    this.#signal = signal;
  }

  createEvaluation(yaml: string): Promise<StoredEvaluation> {
    return this.ask(StoredEvaluationSchema, '/api/evaluations', postYaml(yaml));
  }

  /** A version of the stored Evaluation of its name, or of `evaluationId`. */
  keepEvaluation(yaml: string, evaluationId?: string): Promise<KeptEvaluation> {
    const query = evaluationId === undefined ? '' : `?evaluation=${encodeURIComponent(evaluationId)}`;
    return this.ask(KeptEvaluationSchema, `/api/evaluations/versions${query}`, postYaml(yaml));
  }

  listSites(): Promise<ListedSite[]> {
    return this.ask(z.array(ListedSiteSchema), '/api/sites');
  }

  /** `contents`: a WACZ. `name`: its title unless given. */
  uploadSite(contents: Blob, name?: string): Promise<ListedSite> {
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    return this.ask(ListedSiteSchema, `/api/sites${query}`, { method: 'POST', body: contents });
  }

  /** Of a version of the stored Evaluation of its name, or of `evaluationId`. */
  estimateRun(yaml: string, evaluationId?: string): Promise<EstimateAnswer> {
    const query = evaluationId === undefined ? '' : `?changes=${encodeURIComponent(evaluationId)}`;
    return this.ask(EstimateAnswerSchema, `/api/evaluations/estimate${query}`, postYaml(yaml));
  }

  /** `rounds`: of each Scenario, in place of what the Evaluation says. */
  startRun(evaluationId: string, labels: RunLabels = {}, rounds?: number): Promise<RunSummary> {
    const request = postJson({ labels, rounds });
    return this.ask(RunSummarySchema, `/api/evaluations/${encodeURIComponent(evaluationId)}/runs`, request);
  }

  /** A Run of the same configuration. */
  repeatRun(runId: string, labels: RunLabels = {}): Promise<RunSummary> {
    const request = postJson({ labels });
    return this.ask(RunSummarySchema, `/api/runs/${encodeURIComponent(runId)}/again`, request);
  }

  proposeRounds(runId: string): Promise<RoundsProposal> {
    return this.ask(RoundsProposalSchema, `/api/runs/${encodeURIComponent(runId)}/added-rounds/proposal`);
  }

  addRounds(runId: string, rounds: number): Promise<RunSummary> {
    const request = postJson({ rounds });
    return this.ask(RunSummarySchema, `/api/runs/${encodeURIComponent(runId)}/added-rounds`, request);
  }

  listEvaluations(): Promise<EvaluationSummary[]> {
    return this.ask(z.array(EvaluationSummarySchema), '/api/evaluations');
  }

  readEvaluation(id: string): Promise<StoredEvaluation> {
    return this.ask(StoredEvaluationSchema, `/api/evaluations/${encodeURIComponent(id)}`);
  }

  readTrend(evaluationId: string): Promise<EvaluationTrend> {
    return this.ask(EvaluationTrendSchema, `/api/evaluations/${encodeURIComponent(evaluationId)}/trend`);
  }

  /** The newest Runs. */
  listRuns({ withTries } = { withTries: true }): Promise<RunSummary[]> {
    return this.ask(z.array(RunSummarySchema), `/api/runs?tries=${withTries ? 'with' : 'without'}`);
  }

  listAgents(): Promise<AgentSummary[]> {
    return this.ask(z.array(AgentSummarySchema), '/api/agents');
  }

  readRun(runId: string): Promise<RunSummary> {
    return this.ask(RunSummarySchema, `/api/runs/${encodeURIComponent(runId)}`);
  }

  stopRun(runId: string): Promise<RunSummary> {
    return this.ask(RunSummarySchema, `/api/runs/${encodeURIComponent(runId)}/stop`, { method: 'POST' });
  }

  /** What would be deleted with a Run. */
  readRunContents(runId: string): Promise<RunContents> {
    return this.ask(RunContentsSchema, `/api/runs/${encodeURIComponent(runId)}/contents`);
  }

  async deleteRun(runId: string): Promise<void> {
    await this.request(`/api/runs/${encodeURIComponent(runId)}`, { method: 'DELETE' });
  }

  /** `cells`: all unless given. */
  readComparison(runId: string, from?: LatencyOrigin, cells?: ComparedCells): Promise<Comparison> {
    const search = new URLSearchParams({ ...(from && { from }), ...(cells && { cells }) }).toString();
    return this.ask(ComparisonSchema, `/api/runs/${encodeURIComponent(runId)}/comparison${search && `?${search}`}`);
  }

  /** A stream of RunDetail documents as server-sent events, which breaks when the signal aborts. */
  openRunEvents(runId: string, signal: AbortSignal): Promise<Response> {
    return this.request(`/api/runs/${encodeURIComponent(runId)}/events?passes=current`, {
      headers: { accept: 'text/event-stream' },
      signal,
    });
  }

  openVisits(runId: string, format: 'csv' | 'json' | 'jsonl', from?: LatencyOrigin): Promise<Response> {
    return this.request(`/api/runs/${encodeURIComponent(runId)}/visits?format=${format}${from ? `&from=${from}` : ''}`);
  }

  /** The packet statistics of each Pass and Capture Point, as JSON lines. */
  openCaptures(runId: string): Promise<Response> {
    return this.request(`/api/runs/${encodeURIComponent(runId)}/captures`);
  }

  readWire(runId: string): Promise<WireComparison> {
    return this.ask(WireComparisonSchema, `/api/runs/${encodeURIComponent(runId)}/wire`);
  }

  readMeasurements(runId: string, from?: LatencyOrigin): Promise<Measurements> {
    return this.ask(
      MeasurementsSchema,
      `/api/runs/${encodeURIComponent(runId)}/measurements${from ? `?from=${from}` : ''}`,
    );
  }

  readMethod(runId: string): Promise<RunMethod> {
    return this.ask(RunMethodSchema, `/api/runs/${encodeURIComponent(runId)}/method`);
  }

  /** What the checks of a Comparison read beside it. */
  async readCheckedBesides(runId: string): Promise<{ method: RunMethod; wire: WireComparison }> {
    const [method, wire] = await Promise.all([this.readMethod(runId), this.readWire(runId)]);
    return { method, wire };
  }

  /** A file of its web UI. */
  async readWebFile(path: string): Promise<string> {
    try {
      return await (await this.request(path)).text();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
      throw new AppError(
        'not-found',
        `The Controller at ${this.url} has no ${path}, which the report needs: start it with "./http-ae up" of this version, which builds the web UI`,
        { cause: error },
      );
    }
  }

  openHar(visitId: string): Promise<Response> {
    return this.request(`/api/visits/${encodeURIComponent(visitId)}/har`);
  }

  openBundle(runId: string): Promise<Response> {
    return this.request(`/api/runs/${encodeURIComponent(runId)}/bundle`);
  }

  /** The permanent address of a Run's report. */
  reportUrl(runId: string): string {
    return `${this.url}/runs/${encodeURIComponent(runId)}/comparison`;
  }

  protected async ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    init: RequestInit = {},
  ): Promise<z.output<Schema>> {
    const response = await this.request(path, init);
    try {
      return schema.parse(await response.json());
    } catch (cause) {
      this.#signal.throwIfAborted();
      // As `fetch` says that the connection broke.
      if (cause instanceof TypeError)
        throw new AppError(
          'controller-unreachable',
          `The Controller at ${this.url} broke off its answer: it ended, or the network is down`,
          { cause },
        );
      throw new AppError(
        'protocol-mismatch',
        `${this.url}${path} returned an unknown answer: are the Controller and this HTTP-AE of the same version?`,
        { cause },
      );
    }
  }

  protected async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#token}`);
    const signal = init.signal ? AbortSignal.any([this.#signal, init.signal]) : this.#signal;
    let response: Response;
    try {
      response = await fetch(this.url + path, { ...init, headers, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new AppError(
        'controller-unreachable',
        `No Controller answers at ${this.url}: is it running ("./http-ae up"), and is the URL right?`,
        { cause },
      );
    }
    if (!response.ok) throw await readProblem(response);
    return response;
  }
}

async function readProblem(response: Response): Promise<AppError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = ProblemSchema.safeParse(body);
  if (problem.success) return new ProblemError(problem.data);
  return new AppError(
    'controller-unreachable',
    `${response.url} answered ${response.status} and is no Controller: is the URL right?`,
  );
}

export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function postYaml(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/yaml' }, body };
}
