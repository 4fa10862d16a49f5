import { Command } from 'commander';

/** `schema`: the JSON Schema of an Evaluation. */
export function schemaCommand(): Command {
  return new Command('schema')
    .summary('Print the JSON Schema of an Evaluation')
    .description('Print the JSON Schema of an Evaluation. Editors use it to complete and check YAML files.')
    .addHelpText(
      'after',
      '\nExample:\n  http-ae schema > evaluation.schema.json\nAn editor with the YAML language server finds it by the first line of a file:\n  # yaml-language-server: $schema=evaluation.schema.json',
    )
    .action(async () => {
      const { createEvaluationJsonSchema } = await import('#core/evaluation/evaluation-json-schema.ts');
      process.stdout.write(`${JSON.stringify(createEvaluationJsonSchema(), null, 2)}\n`);
    });
}
