# ranger on the kernels' table, one thread, as a process of its own; prints figures as JSON.
# Usage: Rscript kernel_ranger.R DATA KERNEL TOOL TRAIN_ROWS TEST_ROWS FEATURES BUCKETS TREES
suppressMessages(library(ranger))
args <- commandArgs(trailingOnly = TRUE)
counts <- as.integer(args[4:8])
rows <- counts[1] + counts[2]
file <- file(args[1], "rb")
x <- matrix(readBin(file, "numeric", n = rows * counts[3], size = 4), nrow = rows)
colnames(x) <- paste0("c", seq_len(counts[3]))
y <- factor(readBin(file, "integer", n = rows, size = 1, signed = FALSE))
train <- seq_len(counts[1])
seconds <- function(work) unname(system.time(work)["elapsed"])
rule <- if (args[2] == "forest") "gini" else "extratrees"
fit <- seconds(model <- ranger(x = x[train, ], y = y[train], num.trees = counts[5], mtry = floor(sqrt(counts[3])),
  probability = TRUE, min.node.size = 1, splitrule = rule, replace = rule == "gini",
  sample.fraction = 1, num.threads = 1, seed = 1, oob.error = FALSE, verbose = FALSE))
score <- seconds(p <- predict(model, x[-train, ], num.threads = 1)$predictions)
truth <- as.integer(y[-train])
own <- pmin(pmax(p[cbind(seq_along(truth), truth)], 1e-15), 1)
cat(sprintf('{"fitSeconds": %f, "fittedRows": %d, "scoreSeconds": %f, "accuracy": %f, "logLoss": %f}',
  fit, counts[1], score, mean(max.col(p, ties.method = "first") == truth), -mean(log(own))))
