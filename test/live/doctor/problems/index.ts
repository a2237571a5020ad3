import { balancers } from "./balancers";
import { caa } from "./caa";
import { challenges } from "./challenges";
import { clients } from "./clients";
import { existing } from "./existing";
import { hostnames } from "./hostnames";
import type { DoctorProblem } from "./make";
import { pools } from "./pools";
import { projects } from "./projects";
import { renewals } from "./renewals";
import { serving } from "./serving";
import { zones } from "./zones";

export const problems: readonly DoctorProblem[] = [
  ...projects,
  ...zones,
  ...challenges,
  ...caa,
  ...hostnames,
  ...balancers,
  ...serving,
  ...existing,
  ...pools,
  ...clients,
  ...renewals,
];
