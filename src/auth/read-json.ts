/** Maximum size of a response, in bytes. */
const MAX_ANSWER = 1024 * 1024;

/**
 * Fetches a JSON document from another server, without redirects and with a bounded size and time.
 * @throws Error when the server does not return it
 */
export async function readJson<T>(address: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(address, {
    signal,
    redirect: 'error',
    headers: { Accept: 'application/json' },
  });
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_ANSWER) throw new Error(`${address} answers more than ${MAX_ANSWER} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}
