type Json = Record<string, unknown>;

interface Operation {
  tags: string[];
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; description?: string }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;border-bottom:1px solid;padding-bottom:.25rem}summary{cursor:pointer;padding:.3rem 0}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid;border-radius:.4rem}
b{display:inline-block;min-width:4.5rem;font-family:ui-monospace,monospace}small{opacity:.75}`;

/** The API description as a page: no script, nothing from elsewhere, so it works in any network. */
export function renderReference(description: Json): string {
  const paths = description.paths as Record<string, Record<string, Operation>>;
  const sections = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0]!;
      sections.set(tag, [...(sections.get(tag) ?? []), renderOperation(method, path, operation)]);
    }
  const { title, version } = description.info as { title: string; version: string };
  const { schemas } = description.components as { schemas: Record<string, Json> };
  const body = [...sections].map(([tag, items]) => `<h2>${escape(tag)}</h2>${items.join('')}`);
  const models = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escape(title)} API</title><style>${STYLE}</style></head><body><h1>${escape(title)} API ${escape(version)}</h1>` +
    `<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${body.join('')}<h2>Schemas</h2>${models.join('')}</body></html>`
  );
}

/** The style sheet by its digest's source, for the content security policy. */
export const REFERENCE_STYLE = STYLE;

function renderOperation(method: string, path: string, operation: Operation): string {
  const { summary, security, parameters, requestBody, responses } = operation;
  const rows = parameters.map(
    ({ name, in: place, required, description = '' }) =>
      `<li><code>${escape(name)}</code> <small>${escape(place)}${required ? ', required' : ''}</small> ${escape(description)}</li>`,
  );
  const answers = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { content }]) => `<p>${escape(status)}: ${renderContent(content)}</p>`);
  return (
    `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code> ${escape(summary)}` +
    `${security.every((one) => !('header' in one)) ? ' <small>(no token)</small>' : ''}</summary>` +
    (rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '') +
    (requestBody ? `<p>Body: ${renderContent(requestBody.content)}</p>` : '') +
    `${answers.join('')}</details>`
  );
}

function renderContent(content: Record<string, { schema: Json }> | undefined): string {
  if (!content) return 'no body';
  return Object.entries(content)
    .map(([type, { schema }]) => `<code>${escape(type)}</code> ${renderSchema(schema)}`)
    .join(', ');
}

function renderSchema(schema: Json): string {
  const reference = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (reference) return `<a href="#${escape(reference)}">${escape(reference)}</a>`;
  if (schema.type === 'array') return `array of ${renderSchema(schema.items as Json)}`;
  const either = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return either ? either.map(renderSchema).join(' or ') : '';
}

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
