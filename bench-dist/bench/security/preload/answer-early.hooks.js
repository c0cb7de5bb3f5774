/** What is planted, by the end of the module's address. */
const PLANTED = [
    ['/auth/hold-back.js', 'error instanceof Refusal && error.status === 401', 'false'],
    [
        '/credentials/password-hash.js',
        'const compared =',
        'if (stored === undefined) return false;\n const compared =',
    ],
];
export const load = async (url, context, nextLoad) => {
    const loaded = await nextLoad(url, context);
    const planted = PLANTED.find(([path]) => url.endsWith(path));
    if (!planted)
        return loaded;
    const [path, from, to] = planted;
    const source = Buffer.from(loaded.source).toString();
    if (!source.includes(from))
        throw new Error(`nothing to plant in ${path}`);
    return { ...loaded, source: source.replace(from, to) };
};
//# sourceMappingURL=answer-early.hooks.js.map