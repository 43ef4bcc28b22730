/** The part of the native addon that measures the machine. */

/** Which instructions compute matrix products. */
export interface ProductPath {
  /** The instructions of Cloister's kernels: AVX-512 VNNI or AVX2, whichever is better; '' if the CPU has neither. */
  readonly kernels: 'VNNI' | 'AVX2' | '';
  /** Whether CPU and kernel offer tile registers to this process. */
  readonly mayUseAmx: boolean;
  /** Whether models use them. */
  readonly usesAmx: boolean;
  /** Why models do not use them although the CPU has them; '' if they do or it has none. */
  readonly whyNot: string;
}

export interface ProductTimes {
  /** Weights of the matrix. */
  readonly weights: number;
  readonly weightBytes: number;
  /** Per number of rows of activations: seconds of one product. */
  readonly seconds: Float64Array;
}

export interface MeasureBinding {
  readProductPath(): ProductPath;
  measureProducts(format: string, rows: Int32Array, threads: number, usesAmx: boolean): Promise<ProductTimes>;
  measureMemory(threads: number): Promise<number>;
}
