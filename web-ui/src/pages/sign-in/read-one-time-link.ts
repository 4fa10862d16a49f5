/** What a one-time link is for: to sign somebody in and open `next`, or to choose a new password for the account `name`. */
export type OneTimeLink =
  { for: 'signing-in'; ticket: string; next: string | null } | { for: 'new-password'; ticket: string; name: string };

/** What the fragment of a one-time link says (`#ticket=…&next=…`, `#password-ticket=…&name=…`); a fragment never reaches a server's log. */
export function readOneTimeLink(fragment: string): OneTimeLink | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const ticket = values.get('ticket');
  if (ticket) return { for: 'signing-in', ticket, next: values.get('next') };
  const passwordTicket = values.get('password-ticket');
  return passwordTicket ? { for: 'new-password', ticket: passwordTicket, name: values.get('name') ?? '' } : null;
}
