# CSV to result CSV by pandas and a forest of scikit-learn, one thread: TABLE NEW OUT TREES ENCODING (one-hot or ordinal). The forest learns
# TABLE, label last. Prints seconds of the processor from reading NEW to the result's last byte as JSON, imports and fit left out.
import json
import resource
import sys
import time
import warnings

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

warnings.filterwarnings("ignore")
table_path, new_path, out_path, trees, encoding = sys.argv[1:6]
table = pd.read_csv(table_path)
features, label = table.columns[:-1], table.columns[-1]
numbers = [c for c in features if pd.api.types.is_numeric_dtype(table[c]) and table[c].notna().any()]
texts = [c for c in features if c not in numbers and table[c].notna().any()]


def prepared(frame):
    frame = frame[numbers + texts].copy()
    frame[texts] = frame[texts].astype(object).where(frame[texts].notna(), "missing").astype(str)
    return frame


one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=4, sparse_output=False)
ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
encoder = one_hot if encoding == "one-hot" else ordinal
columns = ColumnTransformer([("numbers", SimpleImputer(strategy="median"), numbers), ("texts", encoder, texts)])
model = make_pipeline(columns, RandomForestClassifier(int(trees), n_jobs=1, random_state=1))
model.fit(prepared(table), table[label].astype(str))
del table

start = time.process_time()
new = pd.read_csv(new_path)
read = time.process_time()
shares = model.predict_proba(prepared(new))
scored = time.process_time()
decided = shares.argmax(axis=1)
labels = model.classes_
new["prediction"] = labels[decided]
new["confidence"] = shares.max(axis=1)
for index, text in enumerate(labels):
    new[f"probability_{text}"] = shares[:, index]
new.to_csv(out_path, index=False, float_format="%.6g")
end = time.process_time()
print(json.dumps(dict(
    seconds=end - start, read=read - start, score=scored - read, write=end - scored,
    peakMb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
)))
