import type { Caller } from '../../security/caller.js';
import type { Resource } from '../resource.js';

/** One item of `GET {resource}/attributes` (docs/api-contract.md#lists). */
export interface AttributeDescription {
  name: string;
  type: string;
  sortable: boolean;
  operators: readonly string[];
  writable: boolean;
  required: boolean;
  maxLength: number | null;
  codes: (string | number)[] | null;
  /** Whether list items have it too, not only the detailed representation. */
  listed: boolean;
  /** Of `translations`, the attributes that it translates. */
  translates: string[] | null;
}

/** Describes the attributes of a resource to a caller: what lists and validation accept. */
export function describeAttributes(resource: Resource, caller: Caller): AttributeDescription[] {
  return [...resource.attributes.values()].map((attribute) => {
    const listed = resource.listAttribute(attribute.name, caller);
    return {
      name: attribute.name,
      type: attribute.type,
      sortable: listed?.sortable ?? false,
      operators: listed?.operators ?? [],
      writable: attribute.writable,
      required: attribute.options.required ?? false,
      maxLength: attribute.maxLength,
      codes: attribute.codes,
      listed: !attribute.options.detailedOnly,
      translates: attribute.translates,
    };
  });
}
