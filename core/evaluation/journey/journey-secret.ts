/** In a text that a journey types: a secret that only the Agent knows. */
export const secretPattern = /\{secret:([A-Z0-9_]{1,40})\}/g;

/** The variable of the Agent's environment that holds a secret. Evaluators can have it typed into any page, so no other variable is read. */
export function secretVariable(name: string): string {
  return `HTTP_AE_SECRET_${name}`;
}
