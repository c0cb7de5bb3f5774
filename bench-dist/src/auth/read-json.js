/** Largest answer that is read, in bytes. */
const MAX_ANSWER = 1024 * 1024;
/**
 * Reads a JSON document of another server: no redirects, a bounded size and time.
 * @throws Error when it cannot be had
 */
export async function readJson(address, signal) {
    const response = await fetch(address, {
        signal,
        redirect: 'error',
        headers: { Accept: 'application/json' },
    });
    if (response.status !== 200)
        throw new Error(`${address} answers ${response.status}`);
    const chunks = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
        size += chunk.length;
        if (size > MAX_ANSWER)
            throw new Error(`${address} answers more than ${MAX_ANSWER} bytes`);
        chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
}
//# sourceMappingURL=read-json.js.map