interface Announced {
  url: string;
  signInUrl: string | null;
  isAdminLink: boolean;
  /** Null where this machine serves none. */
  testPageUrl: string | null;
}

/** Where to go now that all is up. The link to open comes first. */
export function announce({ url, signInUrl, isAdminLink, testPageUrl }: Announced): string {
  const signIn =
    signInUrl === null
      ? ''
      : `To sign in ${isAdminLink ? 'as an admin' : 'for the first time'}, open this link; it works once, within a day:\n\n  ${signInUrl}\n\n`;
  return `HTTP-AE is at ${url}\n${signIn}${testPageUrl === null ? '' : `Test pages: ${testPageUrl}\n`}`;
}
