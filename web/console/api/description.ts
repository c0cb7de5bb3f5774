import { get } from '../../api-client/api.js';
import { RESOURCES, type ResourceName } from '../resources.js';

/** The type that `GET {resource}/attributes` names. */
export type AttributeType =
  'text' | 'number' | 'timestamp' | 'boolean' | 'coded' | 'link' | 'links' | 'texts' | 'object';

export type Code = string | number;

/** One attribute, as `/attributes` describes it. */
export interface Attribute {
  name: string;
  type: AttributeType;
  sortable: boolean;
  operators: string[];
  writable: boolean;
  required: boolean;
  maxLength: number | null;
  /** Of a coded value, or of the texts of a list; empty where any value will do. */
  codes: Code[];
  /** It is in lists too, not only in the detailed representation. */
  listed: boolean;
  /** The texts that it translates; empty for any other attribute. */
  translates: string[];
}

/** The same as the server answers it. */
type Described = Omit<Attribute, 'codes' | 'translates'> & {
  codes: Code[] | null;
  translates: string[] | null;
};

export interface Description {
  attributes: Attribute[];
  attribute(name: string): Attribute | undefined;
}

const known = new Map<ResourceName, Description>();

/**
 * Asks the server what every resource consists of, once: forms, lists, filters and imports are made
 * from the answers.
 * @throws ApiProblem
 */
export async function loadDescriptions(): Promise<void> {
  const described = await get<Record<ResourceName, Described[]>>('/api/v2/attributes');
  for (const name of Object.keys(RESOURCES) as ResourceName[]) {
    const attributes = described[name].map(({ codes, translates, ...attribute }): Attribute => ({
      ...attribute,
      codes: codes ?? [],
      translates: translates ?? [],
    }));
    known.set(name, {
      attributes,
      attribute: (wanted) => attributes.find((one) => one.name === wanted),
    });
  }
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
