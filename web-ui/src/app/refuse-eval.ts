import { config } from 'zod';

// zod compiles its parsers with `new Function` where it may; the content security policy forbids that, and would report the try.
config({ jitless: true });
