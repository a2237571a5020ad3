import { InputError } from "../../errors";
import type { Attempt } from "../cloud-api";
import { labelAttributes } from "../planning";
import { sameValue, textValue, type ValueObject } from "../value";
import type { ProviderCall, ResourceKind } from "./kind";
import { fromApi, labelsOf, type Mapping, toApi } from "./mapping";
import { attemptTo, fill, identifyBy } from "./resource-id";
import type { RestRow } from "./rest-row";

/** Members that the provider derives from others when it writes a block of CA options. */
const derivedCaOptions = ["non_ca", "zero_max_issuer_path_length"];

/** CA pools. Source: the provider's source code at 6.50.0. */
export const caPoolRow: RestRow = {
  type: "google_privateca_ca_pool",
  service: "privateca",
  collection: "projects/{project}/locations/{location}/caPools",
  nameParameter: "caPoolId",
  forceNew: ["name", "location", "tier", "project"],
  foreign: derivedCaOptions.map((name) => `issuance_policy.baseline_values.ca_options.${name}`),
  update: "mask",
};

const type = "google_privateca_certificate_authority";
const collection = "projects/{project}/locations/{location}/caPools/{pool}/certificateAuthorities";
const idTemplate = `${collection}/{certificate_authority_id}`;

const mapping: Mapping = {
  foreign: [
    ...["id", "project", "location", "pool", "certificate_authority_id", "labels", "terraform_labels"],
    ...["effective_labels", "timeouts", "deletion_protection", "desired_state", "pem_ca_certificate"],
    ...["ignore_active_certificates_on_deletion", "skip_grace_period", "subordinate_config"],
    ...derivedCaOptions.map((name) => `config.x509_config.ca_options.${name}`),
  ],
};

/**
 * Root CAs of CA Service. The service creates a CA in the state STAGED, and the provider enables it. Before the
 * deletion, the provider disables it. Source: the provider's source code at 6.50.0.
 */
export const certificateAuthorityKind: ResourceKind = {
  type,
  overlay: {
    forceNew: [
      ...["certificate_authority_id", "config", "gcs_bucket", "key_spec", "lifetime"],
      ...["location", "pool", "project", "type"],
    ],
    defaults: {
      deletion_protection: true,
      ignore_active_certificates_on_deletion: false,
      lifetime: "315360000s",
      skip_grace_period: false,
      type: "SELF_SIGNED",
    },
  },
  create: async (planned, call) => {
    const attempt = attemptTo("create", describe(planned), planned, call);
    const query = `certificateAuthorityId=${encodeURIComponent(textValue(planned, "certificate_authority_id"))}`;
    const { name: _, ...body } = toApi(call.schema, mapping, planned);
    const target = `/v1/${fill(collection, planned)}?${query}`;
    await perform(call, { ...attempt, httpMethod: "POST", target, body: { ...body, ...labelsOf(planned) } });
    const wanted = textValue(planned, "desired_state");
    if (wanted === "" || wanted === "ENABLED") await move("enable", planned, attempt, call);
    const found = await read(planned, call);
    if (found === undefined) throw new InputError("not-found", `${describe(planned)} is not there`);
    return found;
  },
  read,
  update: async (prior, planned, call) => {
    const attempt = attemptTo("update", describe(planned), planned, call);
    const members = [
      ["user_defined_access_urls", "userDefinedAccessUrls"],
      ["effective_labels", "labels"],
    ] as const;
    const changed = members.filter(([name]) => !sameValue(prior[name] ?? null, planned[name] ?? null));
    if (changed.length > 0) {
      const { userDefinedAccessUrls } = toApi(call.schema, mapping, planned);
      const mask = changed.map(([, member]) => member).join(",");
      const target = `/v1/${fill(idTemplate, planned)}?updateMask=${encodeURIComponent(mask)}`;
      const body = { userDefinedAccessUrls, ...labelsOf(planned) };
      await perform(call, { ...attempt, httpMethod: "PATCH", target, body });
    }
    const wanted = textValue(planned, "desired_state");
    if (wanted !== textValue(prior, "desired_state") && wanted !== textValue(prior, "state")) {
      if (wanted === "ENABLED") await move("enable", planned, attempt, call);
      if (wanted === "DISABLED") await move("disable", planned, attempt, call);
    }
    return (await read(planned, call)) ?? planned;
  },
  delete: async (state, call) => {
    const id = fill(idTemplate, state);
    if (state.deletion_protection === true) {
      const what = "cannot destroy CertificateAuthority without setting deletion_protection=false";
      throw new InputError("deletion-protected", `${what} and running 'terraform apply': '${id}'`);
    }
    const attempt = attemptTo("delete", describe(state), state, call);
    if (textValue(state, "state") === "ENABLED") await move("disable", state, attempt, call);
    const ignores = state.ignore_active_certificates_on_deletion === true;
    const query = `ignoreActiveCertificates=${ignores}&skipGracePeriod=${state.skip_grace_period === true}`;
    const answer = await call.api.find({ ...attempt, httpMethod: "DELETE", target: `/v1/${id}?${query}` });
    if (answer !== undefined) await call.api.settle(answer, `/v1/${answer.name}`, attempt, attempt.timeoutMs);
  },
  identify: identifyBy(type, idTemplate),
};

function describe(values: ValueObject): string {
  return `${type} '${fill(idTemplate, values)}'`;
}

/** Reads a CA. Like the provider, treats a deleted CA that can be restored as missing. */
async function read(values: ValueObject, call: ProviderCall): Promise<ValueObject | undefined> {
  const id = fill(idTemplate, values);
  const purpose = `reading ${describe(values)}`;
  const answer = await call.api.find({ purpose, signal: call.signal, httpMethod: "GET", target: `/v1/${id}` });
  if (answer === undefined || answer.state === "DELETED") return undefined;
  const { project = null, location = null, pool = null, certificate_authority_id = null } = values;
  const labels = labelAttributes(values, (answer.labels ?? {}) as ValueObject);
  return { ...fromApi(call.schema, mapping, answer), ...labels, project, location, pool, certificate_authority_id, id };
}

async function move(
  verb: "enable" | "disable",
  values: ValueObject,
  attempt: Attempt,
  call: ProviderCall,
): Promise<void> {
  await perform(call, { ...attempt, httpMethod: "POST", target: `/v1/${fill(idTemplate, values)}:${verb}`, body: {} });
}

/** Sends a request and waits for its operation. */
async function perform(call: ProviderCall, request: Parameters<ProviderCall["api"]["send"]>[0]): Promise<void> {
  const answer = await call.api.send(request);
  await call.api.settle(answer, `/v1/${String(answer.name)}`, request, request.timeoutMs ?? 0);
}
