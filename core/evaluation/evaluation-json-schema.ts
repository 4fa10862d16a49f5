import { z } from 'zod';
import { EvaluationDocumentSchema } from './evaluation-document.ts';
import { PanelsSchema, SeriesSchema } from './figures/figure-choice.ts';
import { JourneySchema } from './journey/journey.ts';
import { LinkProfileInputSchema } from './network/link-profile-input.ts';
import { linkPresetNames } from './network/link-profile-presets.ts';
import { RateTraceSchema } from './network/link-profile-trace.ts';
import { RealTimeTaskSchema } from './pages/real-time-task.ts';
import { UrlEntrySchema } from './pages/url-entry.ts';
import { UrlListSchema } from './pages/url-list.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A recording that `./http-ae evaluate` reads. */
const recordingFile: JsonSchema = {
  type: 'object',
  properties: {
    file: {
      type: 'string',
      description: 'A recording, exported as JSON. Its path is relative to the YAML file.',
    },
    title: { type: 'string', description: 'The name in reports. Without it, the recording has one.' },
  },
  required: ['file'],
  additionalProperties: false,
};

/** What may be written instead of a mapping. Zod describes the mapping alone. */
const shorthands = new Map<z.core.$ZodType, JsonSchema[]>([
  [UrlListSchema.def.out, [describeSitePage()]],
  [
    UrlEntrySchema.def.out,
    [{ type: 'string', description: 'A URL or a pattern.' }, describeTask(), describeJourney(), describeSitePage()],
  ],
  [JourneySchema, [recordingFile]],
  [SeriesSchema.def.out, [{ type: 'string', description: 'One name.' }]],
  [PanelsSchema.def.out, [{ type: 'string', description: 'One name.' }]],
  [LinkProfileInputSchema.def.out, [{ enum: linkPresetNames, description: 'The name of a preset.' }]],
  [
    RateTraceSchema,
    [
      {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            description: 'A file with a line `seconds,kbps` for each step. Its path is relative to the YAML file.',
          },
          repeatAfterMs: {
            type: 'number',
            description: 'When the trace begins again. Without it, the last rate stays.',
          },
        },
        required: ['file'],
        additionalProperties: false,
      },
    ],
  ],
]);

/**
 * The JSON Schema (draft 2020-12) of an Evaluation as people write it, for editors and other programs. It holds names, types, ranges and
 * patterns. Rules across settings, such as the one baseline, are not in it: the Controller checks them.
 */
export function createEvaluationJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(EvaluationDocumentSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: allowShorthand,
  });
  return { title: 'HTTP-AE Evaluation', ...schema };
}

function allowShorthand({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const others = shorthands.get(zodSchema);
  if (others) offerOthers(jsonSchema, others);
}

function offerOthers(jsonSchema: JsonSchema, others: readonly JsonSchema[]): void {
  const mapping = { ...jsonSchema };
  for (const key of Object.keys(mapping)) Reflect.deleteProperty(jsonSchema, key);
  jsonSchema.anyOf = [...others, mapping];
}

/** A task has the label and the variables of any entry. */
function describeTask(): JsonSchema {
  const { label, variables } = UrlEntrySchema.def.out.shape;
  const schema = z.toJSONSchema(RealTimeTaskSchema.extend({ label, variables }), { io: 'input' });
  Reflect.deleteProperty(schema, '$schema');
  return { ...schema, description: 'An exchange of messages with an origin of HTTP-AE.' };
}

/** Likewise a page of a recorded Site. */
function describeSitePage(): JsonSchema {
  const { site, page, label, variables, until } = UrlEntrySchema.def.out.shape;
  const schema = z.toJSONSchema(z.strictObject({ site: site.unwrap(), page, label, variables, until }), {
    io: 'input',
    unrepresentable: 'any',
  });
  Reflect.deleteProperty(schema, '$schema');
  return { ...schema, description: 'A page of a recorded Site, which the testbed replays.' };
}

/** Likewise a journey. */
function describeJourney(): JsonSchema {
  const { label, variables, journey } = UrlEntrySchema.def.out.shape;
  const schema = z.toJSONSchema(z.strictObject({ journey: journey.unwrap(), label, variables }), {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === JourneySchema) offerOthers(jsonSchema, [recordingFile]);
    },
  });
  Reflect.deleteProperty(schema, '$schema');
  return { ...schema, description: 'Steps of a user, as exported by Chrome’s Recorder.' };
}
