// The threshold of a model file of two classes: read, and replaced by another without touching the fitted part (D109).

import { type ReadAt, readHead, withOtherHead } from "../arrays/array-file.ts";
import { positiveClassOf } from "../judging/positive-class.ts";
import { thresholdOfWeights, weightsOfThreshold } from "../judging/thresholds.ts";
import { isModelHead } from "./model-check.ts";
import { damaged, MODEL_FORMAT, type ModelFile } from "./model-file.ts";

type Decides = Pick<ModelFile, "labels" | "positiveLabel" | "classWeights" | "trainedClassWeights">;

/** The probability of the positive label above which it is decided, and that which the training found. */
export interface ModelThreshold {
  positiveLabel: string;
  threshold: number;
  trainedThreshold: number;
}

/** Null where there are more than two classes. */
export function thresholdOf(file: Decides): ModelThreshold | null {
  const { labels, classWeights = null, trainedClassWeights = classWeights } = file;
  if (labels.length !== 2) return null;
  const positive = positiveOf(file);
  return {
    positiveLabel: labels[positive]!,
    threshold: thresholdOfWeights(classWeights, positive),
    trainedThreshold: thresholdOfWeights(trainedClassWeights, positive),
  };
}

/** The same by the beginning of a model's file. @throws InputError where there is no model */
export function readThreshold(readAt: ReadAt): ModelThreshold | null {
  return thresholdOf(decidesOf(readHead(MODEL_FORMAT, readAt)));
}

/**
 * The pieces of the file with another threshold, or, for null, with the training's own.
 *
 * @throws InputError where there is no model of two classes, or it is damaged
 */
export function withThreshold(readAt: ReadAt, sizeBytes: number, threshold: number | null): Generator<Uint8Array> {
  return withOtherHead(MODEL_FORMAT, readAt, sizeBytes, (head) => {
    const file = decidesOf(head);
    if (file.labels.length !== 2) throw damaged();
    const { trainedClassWeights = file.classWeights ?? null, ...others } = file;
    if (threshold !== null) {
      return { ...others, classWeights: weightsOfThreshold(threshold, positiveOf(file)), trainedClassWeights };
    }
    // Fields that stay keep their place: the training's own threshold gives back the file that the training wrote.
    const { classWeights: _, ...without } = others;
    return trainedClassWeights === null ? without : { ...others, classWeights: trainedClassWeights };
  });
}

function decidesOf(head: unknown): Decides {
  if (!isModelHead(head)) throw damaged();
  return head as Decides;
}

function positiveOf({ labels, positiveLabel }: Decides): number {
  return positiveClassOf(labels, positiveLabel !== null && labels.includes(positiveLabel) ? positiveLabel : null);
}
