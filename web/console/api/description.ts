import { get } from '../../api-client/api.js';
import { RESOURCES, type ResourceName } from '../resources.js';

/** The type that `GET {resource}/attributes` names. */
export type AttributeType =
  'text' | 'number' | 'timestamp' | 'boolean' | 'coded' | 'link' | 'links' | 'object';

export type Code = string | number;

/** One attribute: what `/attributes` says, and what the API description adds. */
export interface Attribute {
  name: string;
  type: AttributeType;
  sortable: boolean;
  operators: string[];
  writable: boolean;
  required: boolean;
  maxLength: number | null;
  /** Of a coded value, or of the texts of a list. */
  codes: Code[];
  /** It is a list of texts. */
  isTexts: boolean;
  /** The texts that it translates, in the order of the API description; empty for any other attribute. */
  translated: string[];
  /** It is in lists too, not only in the detailed representation. */
  isListed: boolean;
}

export interface Description {
  attributes: Attribute[];
  attribute(name: string): Attribute | undefined;
}

interface Schema {
  enum?: (Code | null)[];
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface ApiDescription {
  paths: Record<
    string,
    Record<'get', { responses: { 200: { content: Record<string, { schema: ItemList }> } } }>
  >;
  components: { schemas: Record<string, Schema> };
}

interface ItemList {
  items: { $ref: string };
}

/** The attributes of the items in the list at a path. */
function itemProperties({ paths, components }: ApiDescription, path: string) {
  const { schema } = paths[path]!.get.responses[200].content['application/json']!;
  const name = schema.items.$ref.split('/').at(-1)!;
  return components.schemas[name]?.properties ?? {};
}

const known = new Map<ResourceName, Description>();

/**
 * Asks the server what every resource consists of, once: forms, lists, filters and imports are made
 * from the answers.
 * @throws ApiProblem
 */
export async function loadDescriptions(): Promise<void> {
  const api = get<ApiDescription>('/api/v2/openapi.json');
  const load = async ([name, { path }]: [string, { path: string }]): Promise<void> => {
    const [description, described] = await Promise.all([
      api,
      get<Omit<Attribute, 'codes' | 'isTexts' | 'translated' | 'isListed'>[]>(`${path}/attributes`),
    ]);
    const properties = itemProperties(description, path);
    const attributes = described.map((attribute): Attribute => {
      const schema = properties[attribute.name];
      return {
        ...attribute,
        codes: (schema?.enum ?? schema?.items?.enum ?? []).filter((code) => code !== null),
        isTexts: schema?.type === 'array' && schema.items?.type === 'string',
        translated:
          attribute.name === 'translations'
            ? Object.keys(schema?.properties?.en?.properties ?? {})
            : [],
        isListed: schema !== undefined,
      };
    });
    known.set(name as ResourceName, {
      attributes,
      attribute: (wanted) => attributes.find((one) => one.name === wanted),
    });
  };
  await Promise.all(Object.entries(RESOURCES).map(load));
}

/** What the server said of a resource; the console shows nothing before it is known. */
export function descriptionOf(resource: string): Description {
  const description = known.get(resource as ResourceName);
  if (!description) throw new Error(`${resource} is not described`);
  return description;
}

/** A text that may have several lines; addresses are long but have one. */
export const isLong = ({ name, maxLength }: Attribute): boolean =>
  (maxLength ?? 0) >= 1000 && !/link|url/i.test(name);
