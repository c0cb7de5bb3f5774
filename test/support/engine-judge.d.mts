type Faults = (value: unknown) => unknown[];

export const faultsOfCompletion: Faults;
export const faultsOfReading: Faults;
export const faultsOfProblem: Faults;
export const faultsOfState: Faults;
