/** A JSON object in the document. */
export type Json = Record<string, unknown>;

type Section = 'schemas' | 'responses' | 'parameters' | 'headers';

/** A part of the document that appears once, in `components`; every use is a `$ref` to it. */
export class Component {
  /** @param made the content, or a function that makes it once the links of all resources are connected */
  constructor(
    readonly section: Section,
    readonly name: string,
    private readonly made: Json | (() => Json),
  ) {}

  get content(): Json {
    return typeof this.made === 'function' ? this.made() : this.made;
  }

  /** The content, for comparisons. */
  toJSON(): string {
    return `${this.section}/${this.name}`;
  }
}

/** JSON with components in places where a `$ref` is allowed. */
export type Schema = Json | Component;

/**
 * A schema with a name, for `answer` and `body` of `@ApiOperation` and for use in other schemas.
 * @param name singular, in PascalCase; unique in the document
 */
export const namedSchema = (name: string, schema: Json | (() => Json)): Component =>
  new Component('schemas', name, schema);

/** Collects the components that a document uses; it lists no others. */
export class Components {
  private readonly known = new Map<string, Component>();
  private readonly sections: Record<string, Json> = {};

  /**
   * Copies `value` with a `$ref` in place of each component.
   * @throws Error when two different components have the same name
   */
  resolve(value: unknown): unknown {
    if (value instanceof Component) return this.refTo(value);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, this.resolve(part)]),
    );
  }

  /** The collected components by section, sorted by name. */
  toJson(): Json {
    return Object.fromEntries(
      Object.entries(this.sections).map(([section, contents]) => [
        section,
        Object.fromEntries(Object.entries(contents).sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    );
  }

  private refTo(component: Component): Json {
    const { section, name } = component;
    const place = component.toJSON();
    const known = this.known.get(place);
    if (!known) {
      this.known.set(place, component);
      (this.sections[section] ??= {})[name] = this.resolve(component.content);
    } else if (
      known !== component &&
      JSON.stringify(known.content) !== JSON.stringify(component.content)
    )
      throw new Error(`two components are named ${place}`);
    return { $ref: `#/components/${place}` };
  }
}
