import { z } from 'zod';
import { NameSchema } from '../evaluation/name.ts';

/** What an extension needs to become an Agent. */
export const EnrolmentSchema = z.object({
  controllerUrl: z.url({
    protocol: /^https?$/,
    error: 'must be the address of a Controller, such as "https://controller.example"',
  }),
  token: z.string().trim().min(1, 'must not be empty').max(256),
  name: NameSchema,
});
export type Enrolment = z.infer<typeof EnrolmentSchema>;

/** All of it in one line to be pasted. The token comes after the `#`, so that no server sees it when somebody opens the link. */
export function makeEnrolmentLink({ controllerUrl, token, name }: Enrolment): string {
  const url = new URL(controllerUrl);
  url.hash = new URLSearchParams({ enrol: token, name }).toString();
  return url.href;
}

/** Null for a text that is no such link. */
export function readEnrolmentLink(text: string): Enrolment | null {
  const link = text.trim();
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const parameters = new URLSearchParams(url.hash.slice(1));
  url.hash = '';
  return (
    EnrolmentSchema.safeParse({ controllerUrl: url.href, token: parameters.get('enrol'), name: parameters.get('name') })
      .data ?? null
  );
}
