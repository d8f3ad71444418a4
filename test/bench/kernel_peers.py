# One fit of scikit-learn or XGBoost on the kernels' table, one thread, as a process of its own; prints figures as JSON.
# Usage: kernel_peers.py DATA KERNEL TOOL TRAIN_ROWS TEST_ROWS FEATURES BUCKETS TREES
import json
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
path, kernel, tool = sys.argv[1:4]
train_rows, test_rows, feature_count, bucket_count, tree_count = map(int, sys.argv[4:])
rows = train_rows + test_rows
X = np.ascontiguousarray(np.fromfile(path, dtype=np.float32, count=feature_count * rows).reshape(feature_count, rows).T)
y = np.fromfile(path, dtype=np.uint8, offset=4 * feature_count * rows).astype(int)
if kernel in ("logistic regression", "naive Bayes"):
    X = np.floor(X * bucket_count).astype(np.uint8)  # these look at buckets, as ours do
mtry = int(feature_count**0.5)


def make():
    if tool == "XGBoost":
        import xgboost

        shared = dict(n_jobs=1, tree_method="hist", max_bin=bucket_count, random_state=1)
        if kernel == "forest":
            # A column share at each node, bootstrap draws as a share of rows without replacement, grown to pure leaves.
            forest = dict(n_estimators=tree_count, max_depth=0, grow_policy="lossguide", max_leaves=0, reg_lambda=1e-9)
            shares = dict(subsample=0.632, colsample_bynode=mtry / feature_count, min_child_weight=0)
            return xgboost.XGBRFClassifier(**shared, **forest, **shares)
        return xgboost.XGBClassifier(n_estimators=tree_count, max_depth=6, learning_rate=0.1, min_child_weight=0, **shared)
    if kernel in ("forest", "extra-trees"):
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        kind = RandomForestClassifier if kernel == "forest" else ExtraTreesClassifier
        return kind(tree_count, max_features=mtry, n_jobs=1, random_state=1)
    if kernel == "boosted trees":
        from sklearn.ensemble import HistGradientBoostingClassifier

        shape = dict(max_depth=6, max_leaf_nodes=None, min_samples_leaf=1, l2_regularization=1)
        return HistGradientBoostingClassifier(max_iter=tree_count, max_bins=bucket_count, learning_rate=0.1, early_stopping=False, **shape)
    if kernel == "logistic regression":
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder

        return make_pipeline(OneHotEncoder(), LogisticRegression(C=1, max_iter=1000))
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB(alpha=1)


model = make()
start = time.perf_counter()
model.fit(X[:train_rows], y[:train_rows])
fit_seconds = time.perf_counter() - start
start = time.perf_counter()
p = model.predict_proba(X[train_rows:])
score_seconds = time.perf_counter() - start
truth = y[train_rows:]
answer = dict(
    fitSeconds=fit_seconds, fittedRows=train_rows, scoreSeconds=score_seconds,
    accuracy=float((p.argmax(axis=1) == truth).mean()),
    logLoss=float(-np.log(np.clip(p[np.arange(test_rows), truth], 1e-15, 1)).mean()),
)
print(json.dumps(answer))
