import { ProvidedVariants } from '#testbed/tcp/variants/provided-variants.ts';

/** A program that provides a TCP variant, says so, and then waits to be killed: `node provide-variant.ts VARIANT`. */
await using provided = new ProvidedVariants();
await provided.provide(process.argv[2]!);
console.log('provided');
await new Promise(() => setInterval(() => undefined, 1000));
