# What people write today for the job of one `cupel run`: TRAIN NEW OUT_FOLDER. Chooses among twenty candidates of four families by
# cross-validation on four fifths, judges the best on the fifth put aside, refits the best three on all rows and saves them, with importances
# and predictions of NEW. Two processes of one thread each where there is something to share out.
# Label last. Prints the holdout's accuracy, processor seconds and peak memory of all of them as JSON.
import json
import pathlib
import resource
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

warnings.filterwarnings("ignore")
THREADS = 2
FOLDS = 3
train_path, new_path, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
table = pd.read_csv(train_path)
features, label = table.columns[:-1], table.columns[-1]
numbers = [c for c in features if pd.api.types.is_numeric_dtype(table[c]) and table[c].notna().any()]
texts = [c for c in features if c not in numbers and table[c].notna().any()]


def prepared(frame):
    frame = frame[numbers + texts].copy()
    frame[texts] = frame[texts].astype(object).where(frame[texts].notna(), "missing").astype(str)
    return frame


def dense(scaled):
    steps = [SimpleImputer(strategy="median")] + ([StandardScaler()] if scaled else [])
    one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=4, sparse_output=False)
    return ColumnTransformer([("numbers", make_pipeline(*steps), numbers), ("texts", one_hot, texts)])


def ordinal():
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    return ColumnTransformer([("numbers", "passthrough", numbers), ("texts", encoder, texts)])


def candidates():
    for leaf in (1, 3, 10):
        for share in ("sqrt", 0.4):
            forest = RandomForestClassifier(100, min_samples_leaf=leaf, max_features=share, random_state=1)
            yield f"forest, {leaf} rows a leaf, {share}", make_pipeline(dense(False), forest)
    few = [len(numbers) + i for i, c in enumerate(texts) if table[c].nunique() <= 255]
    for rate in (0.05, 0.1):
        for leaves in (15, 31, 63):
            shape = dict(max_iter=200, learning_rate=rate, max_leaf_nodes=leaves, early_stopping=False)
            model = HistGradientBoostingClassifier(categorical_features=few or None, random_state=1, **shape)
            yield f"boosting, {rate}, {leaves} leaves", make_pipeline(ordinal(), model)
    for c in (0.01, 0.1, 1, 10):
        yield f"logistic regression, C {c}", make_pipeline(dense(True), LogisticRegression(C=c, max_iter=500))
    for smoothing in (1e-9, 1e-6, 1e-3, 1e-1):
        yield f"GaussianNB, {smoothing}", make_pipeline(dense(True), GaussianNB(var_smoothing=smoothing))


def accuracy(model):
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=1)
    return cross_val_score(model, learning, learning_y, cv=folds, n_jobs=THREADS, error_score=0).mean()


X, y = prepared(table), table[label].astype(str).to_numpy()
learning, holdout, learning_y, holdout_y = train_test_split(X, y, test_size=0.2, random_state=1, stratify=y)
ranked = sorted(((accuracy(model), name, model) for name, model in candidates()), key=lambda found: -found[0])
best = ranked[0][2].fit(learning, learning_y)
published = best.score(holdout, holdout_y)
importance = permutation_importance(best, holdout, holdout_y, n_repeats=3, random_state=1, n_jobs=THREADS)
out.mkdir(parents=True, exist_ok=True)
pd.Series(importance.importances_mean, X.columns).sort_values(ascending=False).to_csv(out / "importances.csv")
for place, (_, name, model) in enumerate(ranked[:3], 1):
    joblib.dump(model.fit(X, y), out / f"v{place}.joblib")
new = pd.read_csv(new_path)
champion = ranked[0][2]
shares = champion.predict_proba(prepared(new))
new["prediction"] = champion.classes_[shares.argmax(axis=1)]
new["confidence"] = shares.max(axis=1)
for index, text in enumerate(champion.classes_):
    new[f"probability_{text}"] = shares[:, index]
new.to_csv(out / "predictions.csv", index=False)
get_reusable_executor().shutdown(wait=True)
own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps(dict(
    published=published, champion=ranked[0][1],
    cpuSeconds=sum(usage.ru_utime + usage.ru_stime for usage in (own, others)),
    peakMb=(own.ru_maxrss + THREADS * others.ru_maxrss) / 1024,
)))
