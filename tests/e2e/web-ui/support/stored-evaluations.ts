import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { postYaml } from '#tests/support/controller.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import type { WebUi } from '#tests/support/web-ui.ts';

type Stored = ReturnType<typeof StoredEvaluationSchema.parse>;
type Summary = ReturnType<typeof EvaluationSummarySchema.parse>;

/** The Evaluations of a web UI’s Controller, by its API. */
export class StoredEvaluations {
  readonly #ui: Pick<WebUi, 'controller'>;

  constructor(ui: Pick<WebUi, 'controller'>) {
    this.#ui = ui;
  }

  async list(): Promise<Summary[]> {
    return EvaluationSummarySchema.array().parse(await this.#ask('/api/evaluations'));
  }

  async read(id: string): Promise<Stored> {
    return StoredEvaluationSchema.parse(await this.#ask(`/api/evaluations/${id}`));
  }

  async store(yaml = evaluationYaml): Promise<Stored> {
    return StoredEvaluationSchema.parse(await this.#ask('/api/evaluations', postYaml(yaml)));
  }

  async #ask(path: string, request?: RequestInit): Promise<unknown> {
    return (await this.#ui.controller.program(path, request)).json();
  }
}
