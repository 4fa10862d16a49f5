/** The one-time link of a ticket, which stands behind the `#`: no browser sends that to a server. */
export function inviteLink(controllerUrl: string, ticket: string): string {
  return linkOf(controllerUrl, { ticket });
}

/** The same for a new password of the account `name`. */
export function passwordLink(controllerUrl: string, { ticket, name }: { ticket: string; name: string }): string {
  return linkOf(controllerUrl, { 'password-ticket': ticket, name });
}

function linkOf(controllerUrl: string, fragment: Record<string, string>): string {
  return `${controllerUrl}/sign-in#${new URLSearchParams(fragment).toString()}`;
}
