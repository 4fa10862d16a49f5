/** What the fragment of a one-time link says (`#ticket=…&next=…`); a fragment never reaches a server's log. */
export function readOneTimeLink(fragment: string): { ticket: string; next: string | null } | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const ticket = values.get('ticket');
  return ticket ? { ticket, next: values.get('next') } : null;
}
