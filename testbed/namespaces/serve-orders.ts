import { z } from 'zod';

/** Answers the orders of the process that started this one (`startPlaceProcess`), and ends when that is gone. */
export function serveOrders<Order>(schema: z.ZodType<Order>, execute: (order: Order) => unknown): void {
  const FrameSchema = z.object({ order: z.number(), content: schema });
  process.on('message', (message) => {
    const { order, content } = FrameSchema.parse(message);
    void Promise.resolve(execute(content)).then((answer) => process.send!({ order, answer }));
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group of a terminal: the process that started this one decides when it ends.
  process.on('SIGINT', () => undefined);
  process.send!({ order: 0, answer: null });
}
