import { satisfies } from '../http/class-validation.js';

const isObject = satisfies((value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'must be a JSON object',
);

/** `POST /process/tiles`: two bodies, each checked like the body of a POST of its own. */
export class TileDto {
  @isObject
  application!: Record<string, unknown>;

  /** Without `application`, which the server sets. */
  @isObject
  view!: Record<string, unknown>;
}
