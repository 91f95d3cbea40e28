import { finishEmailSignIn, getAccount, signOut, signUp, startEmailSignIn } from "./account.ts";
import { deleteAgent, listAgents, listPromotions, promote, purgeAgent, rollback, upsertAgent } from "./agents.ts";
import { listBehaviors, putBehavior } from "./behaviors.ts";
import { downloadCard, getCatalog, publishDataset, unpublishDataset } from "./catalog.ts";
import { getAgentScores, getBrief, getCurve, getDashboard, getEvals, getVerdict } from "./dashboard.ts";
import { listParts, uploadParts } from "./dataset-parts.ts";
import {
  checkContamination,
  createDataset,
  deleteDataset,
  downloadBlob,
  downloadDataset,
  finalizeDataset,
  getDataset,
  getDatasetRows,
  getLineage,
  listDatasets,
  previewDataset,
  profileDataset,
  updateDataset,
  uploadDataset,
} from "./datasets.ts";
import { decideDevice, pollDevice, showDevice, startDevice } from "./device.ts";
import { getExperiment, putExperiment } from "./experiment.ts";
import { deleteFigure, listFigures, putFigure } from "./figures.ts";
import { createKey, deleteKey, issueCredential, listKeys, refreshCredential, revokeCredential } from "./keys.ts";
import { postLive } from "./live.ts";
import { postLog, postTrain } from "./points.ts";
import { getPriceBook } from "./price-book.ts";
import type { Route } from "./route.ts";
import { getRowTasks } from "./row-tasks.ts";
import { deleteRows, getFlips, getRows, getRowsSummary, postRows } from "./rows.ts";
import { deleteRun, finishRun, getRun, listRuns, openRun, patchRun, runEvents } from "./runs.ts";
import { postEvals } from "./scores.ts";
import { getHealth, getMetrics, getOpenApi, getVersion, listAudit } from "./service.ts";
import { claimEmail, createSignInLink, deleteSession, listSessions } from "./sessions.ts";
import { deleteTrace, listTraces, postTraces } from "./traces.ts";

/** Every call of the platform: what a server mounts and the OpenAPI document lists. */
// biome-ignore lint/suspicious/noExplicitAny: a table of routes holds routes of every body and answer
export const ROUTES: readonly Route<any, any, any>[] = [
  ...[getVersion, getHealth, getMetrics, getOpenApi, getPriceBook, listAudit],
  ...[getAccount, signUp, startEmailSignIn, finishEmailSignIn, signOut],
  ...[createSignInLink, listSessions, deleteSession, claimEmail],
  ...[startDevice, pollDevice, showDevice, decideDevice],
  ...[listKeys, createKey, deleteKey, issueCredential, refreshCredential, revokeCredential],
  ...[createDataset, uploadDataset, downloadBlob, finalizeDataset, listDatasets, getDataset, deleteDataset],
  ...[uploadParts, listParts, getDatasetRows, getLineage, checkContamination],
  ...[updateDataset, previewDataset, profileDataset, downloadDataset],
  ...[publishDataset, unpublishDataset, getCatalog, downloadCard],
  ...[listTraces, deleteTrace, postTraces],
  ...[upsertAgent, listAgents, deleteAgent, purgeAgent, promote, rollback, listPromotions],
  ...[putBehavior, listBehaviors, getEvals, putExperiment, getExperiment],
  ...[putFigure, listFigures, deleteFigure],
  ...[getDashboard, getVerdict, getBrief, getAgentScores, getCurve, postLive],
  ...[openRun, listRuns, getRun, patchRun, deleteRun, finishRun, runEvents],
  ...[postTrain, postLog, postEvals, postRows, deleteRows, getRows, getRowsSummary, getRowTasks, getFlips],
];
