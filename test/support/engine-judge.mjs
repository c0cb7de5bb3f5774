// The forms of Camunda 8 as its own client (Apache-2.0) checks them; the package does not export them.
import {
  zCompleteUserTaskData,
  zGetUserTaskData,
  zProblemDetail,
  zUserTaskStateEnum,
} from '../../node_modules/@camunda8/orchestration-cluster-api/dist/zod.gen-UYZKIAHB.js';

/** Returns what is wrong with a request or an answer; an empty list for nothing. */
const faultsOf = (schema) => (value) => schema.safeParse(value).error?.issues ?? [];

export const faultsOfCompletion = faultsOf(zCompleteUserTaskData);
export const faultsOfReading = faultsOf(zGetUserTaskData);
export const faultsOfProblem = faultsOf(zProblemDetail);
export const faultsOfState = faultsOf(zUserTaskStateEnum);
