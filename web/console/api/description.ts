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
  /** The codes, or the allowed texts of a list; empty if any value is allowed. */
  codes: Code[];
  /** List items have it too, not only the detailed representation. */
  listed: boolean;
  /** The texts that it translates; empty for any other attribute. */
  translates: string[];
}

/** The same in the form of the API. */
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
 * Loads the description of every resource once. Forms, lists, filters and imports are built from it.
 * @throws ApiProblem
 */
export async function loadDescriptions(): Promise<void> {
  const described = await get<Partial<Record<ResourceName, Described[]>>>('/api/v2/attributes');
  for (const name of Object.keys(RESOURCES) as ResourceName[]) {
    // The server describes the audit trail only to who may read it.
    const attributes = (described[name] ?? []).map(
      ({ codes, translates, ...attribute }): Attribute => ({
        ...attribute,
        codes: codes ?? [],
        translates: translates ?? [],
      }),
    );
    known.set(name, {
      attributes,
      attribute: (wanted) => attributes.find((one) => one.name === wanted),
    });
  }
}

/** The description of a resource; the console loads it before it shows anything. */
export function descriptionOf(resource: string): Description {
  const description = known.get(resource as ResourceName);
  if (!description) throw new Error(`${resource} is not described`);
  return description;
}

/** Whether a text may have several lines. Addresses are long but have one. */
export const isLong = ({ name, maxLength }: Attribute): boolean =>
  (maxLength ?? 0) >= 1000 && !/link|url/i.test(name);
