import type { DocumentFailure } from './read-document-failure.ts';

/**
 * What browsers show by a program of their own, which nobody can look into, and which loads what the address does not name. Null for a type that is shown
 * as a document. https://html.spec.whatwg.org/#loading-a-document
 */
export function explainUnshownContent(mimeType: string | null | undefined): DocumentFailure | null {
  const essence = (mimeType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (essence !== 'application/pdf' && essence !== 'text/pdf') return null;
  return {
    code: 'unsupported-content',
    detail: 'The address gives a PDF, which a browser shows by a viewer of its own, not as a page',
  };
}
