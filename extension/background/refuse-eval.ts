import { config } from 'zod';

// zod compiles its parsers with `new Function` where it may; the content security policy of extensions forbids that.
config({ jitless: true });
