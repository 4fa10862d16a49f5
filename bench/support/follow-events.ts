/** Reads the events of a Run as its page does, until the Controller ends them: how many came, and their bytes. */
export async function followEvents(url: string, token: string): Promise<{ events: number; bytes: number }> {
  const { body, status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200 || !body) throw new Error(`${url} answered ${status}`);
  let [events, bytes] = [0, 0];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    events += text.split('\n\n').length - 1;
    bytes += text.length;
  }
  return { events, bytes };
}
