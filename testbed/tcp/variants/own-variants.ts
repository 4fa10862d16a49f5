/** The TCP variants that this folder has, each in a file of its name. */
export const ownVariants = ['bic', 'hybla', 'vegas', 'westwood'] as const;
export type OwnVariant = (typeof ownVariants)[number];

export function isOwnVariant(variant: string): variant is OwnVariant {
  return (ownVariants as readonly string[]).includes(variant);
}
