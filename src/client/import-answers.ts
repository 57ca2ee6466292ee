/** From what a catalog answers about imports to the wire's own shapes. Pure. */
import {
  type ClaimsOutput,
  type ImportJob,
  type ImportOutput,
  type ImportResultsOutput,
  type ImportsOutput,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../spec/index.ts";
import { notACatalogs } from "./answers.ts";

export function readImportTaken(body: JsonObject): ImportOutput {
  if (typeof body.job !== "string") throw notACatalogs('"job" is missing');
  const rejected = Array.isArray(body.rejected) ? body.rejected : [];
  return { job: body.job, rejected: rejected as unknown as ImportOutput["rejected"] };
}

export function readImportJob(body: JsonObject): ImportJob {
  return job(body.job);
}

export function readImports(body: JsonObject): ImportsOutput {
  if (!Array.isArray(body.jobs)) throw notACatalogs('"jobs" is missing');
  return { jobs: body.jobs.map(job) };
}

export function readImportResults(body: JsonObject): ImportResultsOutput {
  if (!Array.isArray(body.results)) throw notACatalogs('"results" is missing');
  return {
    results: body.results as unknown as ImportResultsOutput["results"],
    nextCursor: typeof body.nextCursor === "string" ? body.nextCursor : null,
  };
}

export function readClaims(body: JsonObject, id: string): ClaimsOutput {
  if (!Array.isArray(body.claims)) throw notACatalogs('"claims" is missing');
  return {
    relay: typeof body.relay === "string" ? body.relay : id,
    claims: body.claims as unknown as ClaimsOutput["claims"],
  };
}

function job(value: JsonValue | undefined): ImportJob {
  if (!isJsonObject(value) || typeof value.id !== "string" || !isJsonObject(value.report)) {
    throw notACatalogs('"job" is missing');
  }
  return value as unknown as ImportJob;
}
